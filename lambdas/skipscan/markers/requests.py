"""The keeper's steps for an item collection as requests to the table."""

from collections.abc import Callable

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.follower import ItemEffect
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.step import ItemSteps
from skipscan.markers.keeper import MarkerOutcome, keep
from skipscan.markers.marker import Marker


def marker_keeping(client: DynamoDBClient, marker: Marker, *, check: Callable[[], None]) -> ItemEffect:
    """Return the effect that keeps the marker of one collection at a time.

    `check`: raises before a write unless the table still is the one that is followed, and the marker fits it.
    """
    partition_key = marker.partition_key.name

    def steps(change: Change) -> ItemSteps:
        return keep(marker, change.key[partition_key], only_added=marker.only_added(change))

    done = frozenset(MarkerOutcome) - {MarkerOutcome.UNSETTLED}
    quiet = frozenset({MarkerOutcome.AGREES})
    return ItemEffect(client, (partition_key,), steps, done=done, quiet=quiet, check=check)
