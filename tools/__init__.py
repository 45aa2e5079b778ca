"""Doorways of the tools: one class a file, no decisions."""
