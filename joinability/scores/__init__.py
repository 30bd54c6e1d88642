"""From the evidence on a pair of columns to one number: how likely the two join.

In this order, each module using those before it: features, weights, odds, verdicts, candidates, implied, rivals, score,
edges; references use the result.
"""
