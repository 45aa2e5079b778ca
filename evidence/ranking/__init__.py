"""Pure functions of rankings: one concept, one file, one source."""
