"""The requests of an act: planning, steps, writes."""
