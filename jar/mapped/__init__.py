"""What an index holds as a file that is mapped into memory, in place of being read."""
