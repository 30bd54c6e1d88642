"""Join discovery side by side: this package and others, on the same databases, in the same run."""
