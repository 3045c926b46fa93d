"""The stored forms on S3 and in state: one golden file for each kind of work."""
