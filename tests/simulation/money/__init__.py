"""Budgets and rates held over whole runs, counted exactly."""
