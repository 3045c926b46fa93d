"""A client for DynamoDB's frequent calls, with a fraction of boto3's processor time (the design: "Clients").

The calls are Scan, Query, GetItem, UpdateItem, PutItem and DeleteItem. boto3 makes all other calls; it also decides the
address, headers and credentials of a request, and the meaning of errors.
"""

from skipscan.aws.lean.client import LeanClient, lean_dynamodb, notice

__all__ = ["LeanClient", "lean_dynamodb", "notice"]
