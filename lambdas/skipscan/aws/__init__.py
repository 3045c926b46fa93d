"""Clients of AWS, results on S3, and the runtime of functions."""
