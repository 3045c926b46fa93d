"""The skip scan itself; the caller makes the requests. Standard library alone."""
