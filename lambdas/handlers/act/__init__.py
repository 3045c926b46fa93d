"""The states of Act."""
