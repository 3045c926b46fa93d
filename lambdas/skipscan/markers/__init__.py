"""A marker in every item collection, kept true by a keeper."""
