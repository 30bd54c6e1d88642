"""Join-aware table re-ranking: choose the connected set of tables that answers a question."""
