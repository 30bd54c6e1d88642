"""The join graph: tables, the joins between them, the best way from one to another, and its diagrams."""
