"""DynamoDB's rules: values, keys, sizes, units, pages and prices. Standard library alone."""
