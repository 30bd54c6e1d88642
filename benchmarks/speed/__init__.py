"""How long the package takes, and how much memory."""
