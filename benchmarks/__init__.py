"""Data sets, metrics, systems and measurements: what the project's figures are made with.

``python -m benchmarks --help`` lists the commands.
"""
