"""Evidence on columns and on pairs of columns: arrays and sparse matrices, data only."""
