"""Walks over all items of a table that write: what a retrofit and a copy have in common."""
