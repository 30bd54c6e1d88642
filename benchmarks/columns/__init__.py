"""How fast and how good the choice of columns is, solver by solver, on the questions of BIRD."""
