"""Schemas as companies have them: real warehouses, and names damaged on purpose."""
