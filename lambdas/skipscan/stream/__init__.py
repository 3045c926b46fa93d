"""Records of a table's stream, and how followers read them."""
