"""Which stage lost the questions that a system does not answer."""
