"""What DynamoDB is: values, keys, sizes, units, pages and prices. Standard library alone."""
