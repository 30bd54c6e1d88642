"""The distilled vectors of the package: texts to learn from, their vectors by MiniLM, the fit, its figures."""
