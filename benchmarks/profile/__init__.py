"""What a profile takes: memory, processor time beside that of parsing, and the whole bill. There is no quick form."""
