"""A deployed environment: its stack, its executions, and the status of its work."""
