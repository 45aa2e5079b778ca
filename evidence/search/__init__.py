"""Query variants, ranking signals and their fusion: the passages that hold the answer."""
