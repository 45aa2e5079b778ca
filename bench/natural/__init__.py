"""Questions as people ask them, over several bases: the product beside BM25, a dense ranking and their fusion."""
