"""Records of a table's stream, and what follows from them."""
