"""The data sets: their files, their questions, their gold tables and columns, and a registry with a row for each."""
