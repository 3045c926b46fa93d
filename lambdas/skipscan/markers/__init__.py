"""A marker in every item collection, which a keeper maintains."""
