"""What a piece of work left: read, known at one moment, and its figures as rows, which every screen, page and JSON shows."""
