"""Keys of several columns, and of several tables: which are counted, what the rows say of them, and their score."""
