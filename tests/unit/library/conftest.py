"""The environment that the commands' tests have, too."""

from tests.unit.cli.place import place, quiet
from tests.unit.handlers.conftest import dynamodb, listing, s3

__all__ = ["dynamodb", "listing", "place", "quiet", "s3"]
