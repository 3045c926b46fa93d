"""What lies on S3 and in state, written down: one golden file for each kind of work."""
