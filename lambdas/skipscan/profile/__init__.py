"""What is in a table: its collections, items, attributes and indexes, from random segments that are read whole.

No boto3 here, and no value of an attribute leaves this package: names and prefixes of sort keys are all it keeps.
"""
