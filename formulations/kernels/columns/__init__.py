"""The compiled search over sets of columns."""
