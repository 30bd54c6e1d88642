"""Values of tables, as questions name and mean them."""
