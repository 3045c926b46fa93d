"""Everything that imports boto3: tables, results on S3, and the other services."""
