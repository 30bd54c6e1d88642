"""Native engines (CBC, HiGHS, Gurobi, CP-SAT), each in a separate worker process; see docs/engines.md."""
