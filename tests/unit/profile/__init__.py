"""What a profile says of a table, and how sure that is."""
