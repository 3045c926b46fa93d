"""How a partition key is written and read, one a line."""
