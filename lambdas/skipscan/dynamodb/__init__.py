"""DynamoDB's rules: values, keys, sizes, units, pages, prices, records of streams. Standard library alone."""
