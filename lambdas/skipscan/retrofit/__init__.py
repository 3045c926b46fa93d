"""Retrofit: an attribute made from others, set on existing items."""
