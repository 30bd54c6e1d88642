"""The page of the benchmarks, from what an output folder holds."""
