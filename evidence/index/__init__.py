"""Rankings of texts by their words; pure functions."""
