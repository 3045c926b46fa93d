"""The requests of the keeper of markers."""
