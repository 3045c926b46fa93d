"""The keeper's steps for an item collection as requests to the table."""

from collections.abc import Callable

from botocore.exceptions import ClientError

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault
from skipscan.aws.follower import ItemEffect
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.step import do_steps
from skipscan.markers.keeper import MarkerOutcome, keep
from skipscan.markers.marker import Marker
from skipscan.pace.pace import Fault


class Markers(ItemEffect):
    """Keeps the marker of one collection at a time. Safe to use from several threads.

    `check`: raises before a write unless the table still is the one that is followed, and the marker fits it.
    """

    done = frozenset(outcome.value for outcome in MarkerOutcome if outcome is not MarkerOutcome.UNSETTLED)
    quiet = frozenset({MarkerOutcome.AGREES.value})

    def __init__(self, client: DynamoDBClient, marker: Marker, *, check: Callable[[], None]) -> None:
        super().__init__(client, (marker.partition_key.name,), check=check)
        self._marker = marker

    def apply(self, change: Change) -> str:
        partition_key = change.key[self._marker.partition_key.name]
        keeping = keep(self._marker, partition_key, only_added=self._marker.only_added(change))
        try:
            outcome: MarkerOutcome = do_steps(keeping, self.do)
        except ClientError as error:
            if fault(error) is not Fault.INVALID:
                raise
            # A table that was created again with other keys may refuse the read of every marker.
            self.check()
            self.spent.count()
            return MarkerOutcome.REFUSED.value
        return outcome.value
