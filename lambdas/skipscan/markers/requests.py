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


def marker_keeping(client: DynamoDBClient, marker: Marker, *, check: Callable[[], None]) -> ItemEffect:
    """Return the effect that keeps the marker of one collection at a time.

    `check`: raises before a write unless the table still is the one that is followed, and the marker fits it.
    """
    partition_key = marker.partition_key.name

    def apply(effect: ItemEffect, change: Change) -> str:
        keeping = keep(marker, change.key[partition_key], only_added=marker.only_added(change))
        try:
            outcome: MarkerOutcome = do_steps(keeping, effect.do)
        except ClientError as error:
            if fault(error) is not Fault.INVALID:
                raise
            # A table that was created again with other keys may refuse the read of every marker.
            effect.check()
            effect.spent.count()
            return MarkerOutcome.REFUSED.value
        return outcome.value

    done = frozenset(outcome.value for outcome in MarkerOutcome if outcome is not MarkerOutcome.UNSETTLED)
    quiet = frozenset({MarkerOutcome.AGREES.value})
    return ItemEffect(client, (partition_key,), apply, done=done, quiet=quiet, check=check)
