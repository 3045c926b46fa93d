"""The planning of each kind of work: what only the tables themselves can tell."""
