"""Evidence on columns and on pairs of columns: arrays, and no opinion on what they mean."""
