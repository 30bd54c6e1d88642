"""The plots, one function per file; each draws on the axes that it is given, or on new ones."""
