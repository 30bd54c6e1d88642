"""Table contents: sources, catalog, profiles, overlap and the join evidence that they give."""
