"""The threads that keep markers: one changed collection each at a time, and none fails for another."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from botocore.exceptions import ClientError

from skipscan.aws.markers import Markers
from skipscan.markers.keeper import Outcome, keep
from skipscan.markers.marker import Marker
from skipscan.stream.stream_record import Change

THREADS = 8
"""Collections kept at once: what one of them waits for is the network."""


@dataclass(frozen=True)
class Kept:
    """`outcomes`: how many collections ended how, by outcome or by an error's name. `failed`: their records."""

    outcomes: Counter[str]
    failed: list[str]


def keep_all(
    changes: Iterable[Change],
    marker: Marker,
    markers: Markers,
    *,
    until: float,
    clock: Callable[[], float] = time.monotonic,
) -> Kept:
    """Keep every collection once; those that are not begun by `until` (on the clock) fail, to be delivered again."""

    def outcome(change: Change) -> str:
        if clock() >= until:
            return "late"
        steps = keep(marker, change.partition_key, only_added=change.only_added)
        try:
            step = next(steps)
            while True:
                step = steps.send(markers.do(step, change.partition_key))
        except StopIteration as end:
            return str(end.value.value)
        except ClientError as error:
            return error.response["Error"].get("Code", "ClientError")
        except Exception as error:  # its words may hold key values, so its name has to do
            return type(error).__name__

    changed = list(changes)
    with ThreadPoolExecutor(THREADS, thread_name_prefix="collection") as pool:
        outcomes = list(pool.map(outcome, changed))
    settled = {Outcome.AGREES.value, Outcome.OCCUPIED.value}
    failed = [
        record for change, end in zip(changed, outcomes, strict=True) if end not in settled for record in change.records
    ]
    return Kept(Counter(outcomes), failed)
