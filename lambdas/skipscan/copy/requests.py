"""The two tables of a copy, and the queue between copy and replicator."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.follower import ItemEffect
from skipscan.aws.messages import BATCH_MESSAGES, send
from skipscan.copy.item import Ending, HandOver, reconcile
from skipscan.copy.plan import CopyPlan
from skipscan.copy.replica import DELAY_SECONDS, Replica, Side, late_look_messages
from skipscan.dynamodb.page import projection
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Answer
from skipscan.items.batch_requests import Do, batch_requests


def copy_requests(client: DynamoDBClient, plan: CopyPlan, sqs: Any) -> Do:
    """Return what makes the requests of a copy's batch."""
    replica, keys = plan.replica, projection(plan.source.key_names)

    def scanned(number: int) -> Mapping[str, Any]:
        side = plan.verified_side(number)
        table = {"TableName": replica.target if side is Side.TARGET else replica.source}
        # An eventually consistent page may be old, so nothing is compared with it.
        return table if side is None else table | keys

    def hand_over(step: HandOver) -> Answer:
        recheck(sqs, replica, [step.key], delay_seconds=0)
        return Answer(None)

    return batch_requests(client, plan.reading.segments, scanned, hand_over)


def recheck(client: Any, replica: Replica, keys: Iterable[Item], *, delay_seconds: int = DELAY_SECONDS) -> None:
    """Have keys rechecked when every request in progress has arrived, or sooner; raises unless the queue takes all.

    `client`: of SQS.
    """
    messages = late_look_messages(keys, replica.stream)
    while batch := list(islice(messages, BATCH_MESSAGES)):
        entries = [{"MessageBody": body, "DelaySeconds": delay_seconds} for body in batch]
        for refusal in filter(None, send(client, replica.queue, entries)):
            # A message that is not refused for good is like a request that the service could not serve.
            status = 400 if refusal.is_final else 503
            response: Any = {
                "Error": {"Code": refusal.code, "Message": "a message was not taken"},
                "ResponseMetadata": {"HTTPStatusCode": status},
            }
            raise ClientError(response, "SendMessageBatch")


def replication(
    client: DynamoDBClient, replica: Replica, by: Sequence[str], *, is_late: bool, check: Callable[[], None]
) -> ItemEffect:
    """Return the effect that reconciles one key at a time. `by`: the tables' key attributes. `is_late`: by late looks.

    What the new table refuses is left to the late look at the key. A refusal there makes its message come again, and
    end in the dead-letter queue.
    """
    quiet = frozenset((Ending.RIGHT, Ending.WRITTEN))
    return ItemEffect(
        client,
        by,
        lambda change: reconcile(replica, change.key),
        done=quiet if is_late else quiet | {Ending.REFUSED},
        quiet=quiet,
        check=check,
    )
