"""Independent checks of solutions: plain loops that share no code with objectives and solvers."""
