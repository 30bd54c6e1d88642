"""The default join score: how it is fitted, how well it finds declared keys, and whether it is a probability."""
