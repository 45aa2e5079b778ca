"""Whether words stand in a text, and whether a sentence says what its quotes say; pure functions."""
