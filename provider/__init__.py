"""Doorway of the provider."""
