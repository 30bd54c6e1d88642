"""The commands of ``python -m benchmarks``, a file each."""
