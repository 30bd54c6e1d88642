"""Fits relevance to logged questions: reads them, learns from them, measures what that gives, keeps it in the index."""
