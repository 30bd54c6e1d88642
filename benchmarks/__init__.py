"""Data sets, metrics, systems and reports."""
