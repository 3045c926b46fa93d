"""The page of a run: its figures, its words, and how a browser shows it."""
