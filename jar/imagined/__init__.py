"""Schemas that somebody imagined for a question, read into probes however they were written."""
