"""The CRUSH objective over schema elements, and its solvers; docs/crush.md derives all of it.

`objective` is what a set of columns is worth, `similarity` where its numbers come from, `evaluation` the independent
check. `sweep`, `greedy`, `local`, `exact`, `enumerate`, `mip` and `cpsat` each have a function
``solve(instance, objective, time_limit, **options) -> Outcome``.
"""
