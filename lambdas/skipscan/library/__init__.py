"""What a Python program imports as `skipscan`; the command line uses the same functions."""
