"""A local server of an index: questions, their pages, and the join graph, in a browser or by OpenAPI."""
