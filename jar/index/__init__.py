"""The index: its file, how it is built and refreshed, what it holds in memory, what its owner said of joins."""
