"""A table as a retrofit and the attribute keeper read and write it.

The keeper writes the current item, not the one in the record.
"""

from collections.abc import Callable, Sequence

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.follower import ItemEffect
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.page import projection
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import ItemSteps
from skipscan.items.batch_requests import Do, batch_requests
from skipscan.retrofit.item import RetrofitOutcome
from skipscan.retrofit.plan import RetrofitPlan


def retrofit_requests(client: DynamoDBClient, plan: RetrofitPlan) -> Do:
    """Return what makes the requests of a retrofit's batch."""
    scanned = {"TableName": plan.table, **projection(plan.projected, "p")}
    if plan.reading.consistent_read:
        scanned["ConsistentRead"] = True
    return batch_requests(client, plan.reading.segments, lambda _: scanned)


def attribute_keeping(
    client: DynamoDBClient, steps: Callable[[Item], ItemSteps], by: Sequence[str], *, check: Callable[[], None]
) -> ItemEffect:
    """Return the effect that sets attributes on one item at a time.

    `steps`: returns the steps for the item with a key. `by`: the table's key attributes.
    """

    def of_change(change: Change) -> ItemSteps:
        return (yield from steps(change.key)).outcome

    return ItemEffect(
        client,
        by,
        of_change,
        done=frozenset(RetrofitOutcome) - {RetrofitOutcome.CONTENDED},
        quiet=frozenset((RetrofitOutcome.WRITTEN, RetrofitOutcome.RIGHT, RetrofitOutcome.GONE)),
        check=check,
    )
