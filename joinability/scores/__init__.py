"""From the evidence on a pair of columns to one number: how likely the two join."""
