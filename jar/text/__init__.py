"""Words and vectors: what is embedded, how a question is split, and which words two names share."""
