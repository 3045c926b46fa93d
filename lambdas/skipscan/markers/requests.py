"""The keeper's steps for an item collection as requests to the table."""

from collections.abc import Callable

from botocore.exceptions import ClientError

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault
from skipscan.aws.follower import ItemEffect
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.step import ItemSteps
from skipscan.markers.keeper import MarkerOutcome, keep
from skipscan.markers.marker import Marker
from skipscan.pace.pace import Fault


class MarkerKeeping(ItemEffect):
    """Keeps the marker of one collection at a time.

    `check`: raises before a write unless the table still is the one that is followed, and the marker fits it.
    """

    def __init__(self, client: DynamoDBClient, marker: Marker, *, check: Callable[[], None]) -> None:
        partition_key = marker.partition_key.name

        def steps(change: Change) -> ItemSteps:
            return keep(marker, change.key[partition_key], only_added=marker.only_added(change))

        done, quiet = frozenset(MarkerOutcome) - {MarkerOutcome.UNSETTLED}, frozenset({MarkerOutcome.AGREES})
        super().__init__(client, (partition_key,), steps, done=done, quiet=quiet, check=check)

    def apply(self, change: Change) -> str:
        try:
            return super().apply(change)
        except ClientError as error:
            if fault(error) is not Fault.INVALID:
                raise
            # A table that was created again with other keys may refuse the read of every marker.
            self.check()
            self.spent.count()
            return MarkerOutcome.REFUSED
