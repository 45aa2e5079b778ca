"""The stages: one question each, typed values in, one frozen value out."""
