"""Keys of several columns: which are worth counting, what the rows say of them, and their score."""
