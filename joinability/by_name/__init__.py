"""What names of tables and columns tell of joins: the words for keys, people and numbers, and references by name."""
