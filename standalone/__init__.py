"""Run the product with no Dify at all: knowledge server, stand-in daemon, command line."""
