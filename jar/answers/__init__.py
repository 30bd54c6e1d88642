"""What a caller gets: selections of tables and of columns, in words, as data and as SQL for a prompt."""
