"""Keepers with one thing wrong each: every one must be found out."""

from collections.abc import Callable
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import First, Get, ItemSteps, Write
from skipscan.markers.keeper import MarkerOutcome, keep
from skipscan.markers.marker import Marker


def without_second_look(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> ItemSteps:
    steps = keep(marker, partition_key, only_added=only_added)
    answer: Any = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration as end:
            return end.value
        answer = yield step
        if isinstance(step, Write):
            return MarkerOutcome.AGREES


def trusting_events(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> ItemSteps:
    yield _put(marker, partition_key) if only_added else _delete(marker, marker.item(partition_key))
    return MarkerOutcome.AGREES


def deleting_unseen(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> ItemSteps:
    if only_added:
        return (yield from keep(marker, partition_key, only_added=True))
    yield _delete(marker, marker.item(partition_key))
    return MarkerOutcome.AGREES


def taking_all_for_additions(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> ItemSteps:
    return keep(marker, partition_key, only_added=True)


def seeing_one_item(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> ItemSteps:
    steps = keep(marker, partition_key, only_added=only_added)
    return _answered(steps, lambda step, answer: answer[:1] if isinstance(step, First) else answer)


def deleting_unmarked_items(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> ItemSteps:
    return keep(_Trusting(**vars(marker)), partition_key, only_added=only_added)


def deleting_extended_items(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> ItemSteps:
    return keep(_Careless(**vars(marker)), partition_key, only_added=only_added)


def deleting_what_was_seen_before(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> ItemSteps:
    """As with a condition on the template's attributes alone."""
    steps = keep(marker, partition_key, only_added=only_added)
    step = next(steps)
    while True:
        if isinstance(step, Write) and step.put is None:
            step = _delete(marker, marker.key(partition_key))
        answer = yield step
        try:
            step = steps.send(answer)
        except StopIteration as end:
            return end.value


class _Trusting(Marker):
    def is_marked(self, item: Item) -> bool:
        return True


class _Careless(Marker):
    def is_bare(self, item: Item) -> bool:
        return True


def overlooking_markers_behind_two_items(
    marker: Marker, partition_key: AttributeValue, *, only_added: bool
) -> ItemSteps:
    steps = keep(marker, partition_key, only_added=only_added)
    return _answered(steps, lambda step, answer: None if isinstance(step, Get) else answer)


def _put(marker: Marker, partition_key: AttributeValue) -> Write:
    return Write(marker.table, marker.key(partition_key), put=marker.item(partition_key), expects={"pk": None})


def _delete(marker: Marker, seen: Item) -> Write:
    return Write(marker.table, {name: seen[name] for name in marker.key_names}, expects=seen)


def _answered(steps: ItemSteps, change: Callable[[object, Any], Any]) -> ItemSteps:
    """Pass on the steps of a keeper, and to it what `change` makes of the answers."""
    step = next(steps)
    while True:
        answer = yield step
        try:
            step = steps.send(change(step, answer))
        except StopIteration as end:
            return end.value
