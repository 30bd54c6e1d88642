"""Keys of several columns, and keys of several tables: which are worth counting, what the rows say of them, and their
score."""
