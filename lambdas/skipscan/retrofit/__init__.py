"""Retrofit: an attribute made of others, set on the items that exist already. Core: the standard library alone."""
