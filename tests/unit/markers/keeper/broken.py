"""Keepers with one thing wrong each: every one must be found out."""

from collections.abc import Callable, Sequence
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.markers.keeper import DeleteMarker, KeeperRead, KeeperStep, Keeping, MarkerOutcome, PutMarker, keep
from skipscan.markers.marker import Marker


def without_second_look(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    steps = keep(marker, partition_key, only_added=only_added)
    answer: Any = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        answer = yield step
        if isinstance(step, PutMarker | DeleteMarker):
            return MarkerOutcome.AGREES


def trusting_events(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    yield PutMarker.PUT_MARKER if only_added else DeleteMarker(marker.item(partition_key))
    return MarkerOutcome.AGREES


def deleting_unseen(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    if only_added:
        return (yield from keep(marker, partition_key, only_added=True))
    yield DeleteMarker(marker.item(partition_key))
    return MarkerOutcome.AGREES


def taking_all_for_additions(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    return keep(marker, partition_key, only_added=True)


def seeing_one_item(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    steps = keep(marker, partition_key, only_added=only_added)
    return _answered(steps, lambda step, answer: answer[:1])


def deleting_unmarked_items(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    return keep(_Trusting(**vars(marker)), partition_key, only_added=only_added)


def deleting_extended_items(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    return keep(_Careless(**vars(marker)), partition_key, only_added=only_added)


def deleting_what_was_seen_before(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    """As with a condition on the template's attributes alone."""
    steps = keep(marker, partition_key, only_added=only_added)
    step = next(steps)
    while True:
        if isinstance(step, DeleteMarker):
            step = DeleteMarker(marker.key(partition_key))
        answer = yield step
        try:
            step = steps.send(answer)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


class _Trusting(Marker):
    def is_marked(self, item: Item) -> bool:
        return True


class _Careless(Marker):
    def is_bare(self, item: Item) -> bool:
        return True


def overlooking_markers_behind_two_items(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    steps = keep(marker, partition_key, only_added=only_added)
    return _answered(steps, lambda step, answer: () if step is KeeperRead.READ_MARKER else answer)


def _answered(steps: Keeping, change: Callable[[KeeperStep, Sequence[Item]], Sequence[Item]]) -> Keeping:
    """Pass on the steps of a keeper, and to it what `change` makes of the answers."""
    step = next(steps)
    while True:
        answer = yield step
        try:
            step = steps.send(change(step, answer))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
