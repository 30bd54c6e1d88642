"""Columns by CRUSH: probes from an imagined schema, candidates among the columns of an index, and the choice of a set.

The objective is that of Kothyari, Dhingra, Sarawagi and Chakrabarti, *CRUSH4SQL: Collective Retrieval Using Schema
Hallucination For Text2SQL*, EMNLP 2023; `formulations` has the mathematics.
"""
