"""Where everything stands in the picture of an answer or of a join graph, and the picture as SVG."""
