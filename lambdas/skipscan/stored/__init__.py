"""What a piece of work left, known at one moment, and its figures as rows: every screen, page and JSON shows these."""
