"""What names mean: run-together, abbreviated and prefixed names as words, once for all that reads names."""
