"""Copy: a new table with the items of an old one, kept in step while writers go on. No boto3 here."""
