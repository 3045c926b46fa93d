"""Keepers with one thing wrong each: every one must be found out."""

from collections.abc import Callable, Sequence
from typing import Any

from skipscan.dynamodb.maximum import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.markers.keeper import Keeping, Outcome, Step, keep
from skipscan.markers.marker import Marker

WRITES = (Step.PUT_MARKER, Step.DELETE_MARKER)


def without_second_look(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    steps = keep(marker, partition_key, only_added=only_added)
    answer: Any = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        answer = yield step
        if step in WRITES:
            return Outcome.AGREES


def trusting_events(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    yield Step.PUT_MARKER if only_added else Step.DELETE_MARKER
    return Outcome.AGREES


def deleting_unseen(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    if only_added:
        return (yield from keep(marker, partition_key, only_added=True))
    yield Step.DELETE_MARKER
    return Outcome.AGREES


def taking_all_for_additions(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    return keep(marker, partition_key, only_added=True)


def seeing_one_item(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    steps = keep(marker, partition_key, only_added=only_added)
    return _answered(steps, lambda step, answer: answer[:1])


def overlooking_markers_behind_two_items(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    steps = keep(marker, partition_key, only_added=only_added)
    return _answered(steps, lambda step, answer: () if step is Step.READ_MARKER else answer)


def _answered(steps: Keeping, change: Callable[[Step, Sequence[Item]], Sequence[Item]]) -> Keeping:
    """Pass on the steps of a keeper, and to it what `change` makes of the answers."""
    step = next(steps)
    while True:
        answer = yield step
        try:
            step = steps.send(change(step, answer))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
