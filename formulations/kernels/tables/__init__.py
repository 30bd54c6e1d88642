"""The compiled search over sets of tables."""
