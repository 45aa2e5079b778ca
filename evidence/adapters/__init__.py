"""The protocols of the outside: HTTP, Dify, chat and rerank APIs."""
