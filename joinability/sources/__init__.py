"""Where rows come from: one module per kind of source, each of which gives tables of a catalog."""
