"""The datasets API of Dify."""
