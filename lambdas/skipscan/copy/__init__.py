"""Copy: a new table made of an old one while writers go on, and kept like it. Core: the standard library alone."""
