"""The compiled search: what the searches over tables and over columns share."""
