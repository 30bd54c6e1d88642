"""One module per solver, each with a function ``solve(instance, objective, time_limit, **options) -> Outcome``."""
