"""A lake of any size with planted joins: made from a seed, indexed in bounded memory, asked for what was planted."""
