"""The solvers that run in process.

`exact`, `greedy`, `local` and `enumerate` each have a function ``solve(instance, objective, time_limit, **options) ->
Outcome``. The first three are `session`s of one compiled search: `entries` are the functions that Python calls,
`branch_and_bound` the search, `relaxation` its bound (`prices`, `spanning`, `dendrogram`, improved by `subgradient`),
`start` and `incumbents` its sets, `set_value` their value, and `problem` the arrays that all of it sees.
"""
