"""A client for DynamoDB's hot calls alone, at a fraction of boto3's processor time: see docs/decisions/0007.

The calls are Scan, Query, GetItem, UpdateItem, PutItem and DeleteItem. boto3 stays the client of everything else; it
also says where a request goes, with which headers and credentials, and what an error means.
"""

from skipscan.aws.lean.client import LeanClient, dynamodb, notice

__all__ = ["LeanClient", "dynamodb", "notice"]
