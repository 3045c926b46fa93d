"""The metrics of CloudWatch and their values."""
