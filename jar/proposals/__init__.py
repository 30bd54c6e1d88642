"""Candidates from elsewhere: ids and scores of the caller, and retrievers."""
