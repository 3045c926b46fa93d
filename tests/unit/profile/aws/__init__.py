"""The calls of a profile."""
