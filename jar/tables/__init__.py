"""The choice of tables: from a checked query to candidates, their relevance, their problem and the answer."""
