"""The planning of each kind of work, with the checks that need the tables."""
