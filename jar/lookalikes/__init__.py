"""Tables that are one to a question, or look alike: shards, editions, variants, copies and layers."""
