"""Polymorphic references: a column whose values are keys of several tables, and one beside it that says of which."""
