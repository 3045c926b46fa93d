"""The threads that set attributes on changed items: one item each at a time, and none fails for another."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from botocore.exceptions import ClientError

from skipscan.aws.retrofit_table import RetrofitItems
from skipscan.items.answer import Written
from skipscan.items.targets import Targets
from skipscan.retrofit.settling import Look, Outcome, Settling
from skipscan.stream.changed_items import ChangedItem

THREADS = 8
"""Items kept at once: what one of them waits for is the network."""


@dataclass(frozen=True)
class Kept:
    """`outcomes`: how many items ended how, by outcome or by an error's code. `failed`: the records to come again."""

    outcomes: Counter[str]
    failed: list[str]


def keep_attributes(
    changed: Iterable[ChangedItem],
    targets: Targets,
    items: RetrofitItems,
    *,
    until: float,
    clock: Callable[[], float] = time.monotonic,
) -> Kept:
    """Settle every item once, as it is and not as its event tells it; those not begun by `until` come again."""

    def outcome(one: ChangedItem) -> str:
        if clock() >= until:
            return "late"
        try:
            return settle(Settling(targets, one.key), items)
        except ClientError as error:
            return error.response["Error"].get("Code", "ClientError")
        except Exception as error:  # its words may hold key values, so its name has to do
            return type(error).__name__

    listed = list(changed)
    with ThreadPoolExecutor(THREADS, thread_name_prefix="item") as pool:
        outcomes = list(pool.map(outcome, listed))
    ended = set(Outcome) - {Outcome.CONTENDED}
    failed = [record for one, end in zip(listed, outcomes, strict=True) if end not in ended for record in one.records]
    return Kept(Counter(outcomes), failed)


def settle(settling: Settling, items: RetrofitItems) -> Outcome:
    """Do an item's steps to its end; raises what DynamoDB raises."""
    while settling.outcome is None:
        if settling.step is None or isinstance(settling.step, Look):
            settling.found(items.look(settling.key).item)
            continue
        answer = items.update(settling.key, settling.step)
        if isinstance(answer, Written):
            settling.written()
        else:
            settling.conflicted(answer.item)
    return settling.outcome
