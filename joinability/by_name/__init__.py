"""What joins by names alone, where nobody knows the rows."""
