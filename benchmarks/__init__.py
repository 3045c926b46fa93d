"""Measurements of what Skipscan saves: one folder per question, each with a quick form."""
