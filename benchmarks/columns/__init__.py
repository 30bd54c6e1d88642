"""The benchmark of columns: the protocol of CRUSH, recall of the gold columns at a budget."""
