"""Objectives as programs for native engines: variables, rows and cuts as arrays."""
