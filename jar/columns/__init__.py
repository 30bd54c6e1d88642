"""The choice of columns by CRUSH: probes against the columns of an index, candidates, and the answer."""
