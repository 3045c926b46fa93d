"""Reads the segments of a table."""
