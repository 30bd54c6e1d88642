"""The objectives: what a set of tables or of columns is worth."""
