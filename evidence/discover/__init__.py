"""Which datasets and documents a question means."""
