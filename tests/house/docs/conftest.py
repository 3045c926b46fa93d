"""The handlers, for the pages that say what a run writes."""

from tests.unit.handlers.conftest import compare, dynamodb, listing, s3

__all__ = ["compare", "dynamodb", "listing", "s3"]
