"""The skip scan itself, as a pump that the caller drives. Standard library alone."""
