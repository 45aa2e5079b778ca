"""What a question asks for, and of which documents: by rules, or by one call of a model."""
