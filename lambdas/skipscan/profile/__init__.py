"""What is in a table: its collections, items, attributes and indexes, from random segments that are read whole.

boto3 in `planning` and `requests` only. No value of an attribute leaves this package: it keeps names, and prefixes of
sort keys.
"""

CENT = 0.01
"""The budget in dollars, where nobody gave one."""
