"""The answer that passages give, and the judgement on it."""
