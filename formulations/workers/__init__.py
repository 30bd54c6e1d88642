"""Native engines (CBC, HiGHS, Gurobi, CP-SAT), each in a worker process of its own; docs/engines.md."""
