"""The line formats: how a partition key is written to a line and read from it."""
