"""Runs of systems on data sets: tasks, metrics, results, answers and how sure they are."""
