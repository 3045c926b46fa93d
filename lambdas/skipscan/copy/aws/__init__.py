"""The requests of a copy: planning, both tables, replicator, cut-over."""
