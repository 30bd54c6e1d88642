"""The pages that are written from results, the tables on them, and published figures to compare with."""
