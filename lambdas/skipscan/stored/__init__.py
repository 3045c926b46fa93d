"""What a piece of work left: known at one moment, and its figures as rows for every screen, page and JSON."""
