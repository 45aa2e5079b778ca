"""Terms, sentences, numbers and words of the languages that are known; pure functions."""
