"""Benchmarks of the plugin: what it finds, what it quotes, what it costs. `python -m bench --help`."""
