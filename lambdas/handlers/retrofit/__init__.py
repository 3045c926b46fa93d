"""The states of a retrofit."""
