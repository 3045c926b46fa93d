"""The requests of a retrofit: planning, table, count of an index."""
