"""The kernel: what every kind of work shares. No boto3 here."""
