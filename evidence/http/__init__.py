"""HTTP within a deadline and within bounds."""
