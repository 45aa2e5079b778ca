"""The command line: ask a question, run the sample, serve the embedded knowledge server.

Each command is a module with `register(commands)`, which adds its parser and sets `run` on it.
"""
