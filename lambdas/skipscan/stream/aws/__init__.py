"""The requests of all followers of a stream."""
