"""The states of a copy."""
