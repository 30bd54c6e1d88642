"""Solvers against each other on real and synthetic instances: ``python -m benchmarks solvers``.

A *case* is an instance with its objective, a *contestant* a solver with its options and its time limit, a *run* one
contestant on one case. A *study* asks a question, runs what answers it, and says whether its targets are met.
"""
