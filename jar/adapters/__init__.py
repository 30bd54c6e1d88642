"""The re-rank step inside other people's frameworks: a module for each, over one shared core."""
