"""Input of people: fields, names, and how messages quote values. Standard library alone."""
