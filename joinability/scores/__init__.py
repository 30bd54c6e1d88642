"""From the evidence on a pair of columns to one number: how likely the two join.

In this order, each module using only those before it: inclusion, features, weights, bounds, odds, verdicts,
candidates, implied, estimates, rivals, rivals_by_table, score. The score is used by edges (all pairs that have one),
references (joins that skip the table of a key), known_scores (scores that are computed when tables are indexed) and
remembered (scores that earlier questions needed).
"""
