"""Retrieval of examples by the shape of their SQL: what the structure head learns from, its fit, its figures."""
