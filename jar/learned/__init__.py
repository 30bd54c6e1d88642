"""Relevance as a fitted model has it: evidence on the candidates of a question, their log-odds, and reasons in words."""
