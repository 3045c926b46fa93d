"""Everything that touches boto3: the table, the results on S3, and the threads that keep requests under way."""
