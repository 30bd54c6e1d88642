"""Relevance by a fitted model: evidence on the candidates of a question, their log-odds, and reasons in words."""
