"""Fits the maps of late interaction on training questions, calibrates the schema filter, and measures both."""
