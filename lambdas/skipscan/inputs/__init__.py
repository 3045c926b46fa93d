"""What a person gives us: fields, names, and how their values are quoted in a message. Standard library alone."""
