"""Sparse matrices without scipy, and look-ups in them."""
