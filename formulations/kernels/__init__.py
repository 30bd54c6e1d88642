"""The compiled search: what both levels, tables and columns, share."""
