"""One process under load for a long time: many threads that ask, refreshes beside them, its memory and its times."""
