"""Dify's External Knowledge API, served: an HTTP request in, ranked records out, in time."""
