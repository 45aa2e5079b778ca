"""Language models and rerankers, behind two ports; prompts and the reading of replies."""
