"""The choice of columns by CRUSH, and of tables with their columns: probes, candidates, and the answer."""
