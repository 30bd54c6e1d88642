"""The systems that are compared: a registry with a row for each.

A system is asked for the tables of every question at every size K, since the best set of two tables need not be part of
the best set of five.
"""
