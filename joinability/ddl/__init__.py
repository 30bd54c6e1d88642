"""DDL text taken apart: its statements, its dialect, its comments, and lists of columns that no parser reads."""
