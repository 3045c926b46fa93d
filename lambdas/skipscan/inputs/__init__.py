"""What people write and read: fields of inputs, names, and how messages write values and quantities."""
