"""The mathematics: instances, objectives, solvers and certificates. Arrays in, arrays out."""
