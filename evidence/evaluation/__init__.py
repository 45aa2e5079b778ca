"""Evaluation: questions with what is expected of them are asked, and what went wrong is found out."""
