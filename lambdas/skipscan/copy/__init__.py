"""Copy: a new table with the items of an old one, kept in step while applications write."""
