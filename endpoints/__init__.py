"""Doorways of the endpoints."""
