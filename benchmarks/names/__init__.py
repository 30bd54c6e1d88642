"""Joins that names alone suggest, words that are read in names, and joins that an index tells: truth and figures."""
