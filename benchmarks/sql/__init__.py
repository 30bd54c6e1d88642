"""Does a better set of tables give better SQL: contexts, queries by a language model, and what they return."""
