"""Vectors of the tokens of texts: read from an embedder, rounded to bytes, kept as a part of the index file."""
