"""Joins that names alone suggest, and the words that are read in names: truth, lessons and figures."""
