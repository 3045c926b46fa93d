"""The distinct partition keys of a DynamoDB table, for a fraction of a full scan's price.

The modules beside this one are the core: they decide, and import the standard library alone.
`skipscan.aws` acts on what they decide (boto3); `skipscan.cli` is the command line.
"""

__version__ = "0.2.0"

DOCUMENTATION = "docs"
"""Where the pages are that messages name. The build of a wheel puts an address here, or nothing if it knows none."""
