"""The tables of the index file that hold the evidence, how they are filled, and how they are read."""
