"""Fits the relevance model on training questions: pools of candidates, the fit, and what is chosen by it."""
