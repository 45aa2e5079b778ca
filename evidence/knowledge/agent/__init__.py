"""Agent knowledge bases (Dify 1.16 and later), behind the same port as its datasets."""
