"""A stored form is read as it was written or refused in words, whatever member is lost, renamed, unknown or another."""

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import partial
from math import inf, nan
from typing import Any

import pytest

from skipscan import form
from skipscan.act.kept import Kept
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Level
from skipscan.errors import SkipscanError
from skipscan.loop.kind import Failure, progress_to_json
from skipscan.scan.cursor import Cursor
from skipscan.scan.plan import Only
from skipscan.scan.progress import ScanPosition
from skipscan.scan.take import Count, EachItem, Ends
from skipscan.scan.taken import Counted
from tests.fakes.actions import decided
from tests.unit.act.test_registry import DOCUMENTS
from tests.unit.loop.test_proof import NAMED, WHOLE, Whole

Read = Callable[[Any], Any]
Path = tuple[Any, ...]
LISTED = replace(
    WHOLE["listing"].plan, max_dollars=2.5, max_read_units=7.0, max_read_units_per_second=9.0, batch_seconds=3.5
)
SKIPPED = {"partition_key": LISTED.source.partition_key, "sort_key": LISTED.source.partition_key}
TAKEN = {
    "ends": Ends({"first": None, "last": ("a",)}),
    "items": EachItem({"item": ("a",)}, 7, descends=True, beyond=2),
    "count": Count(5),
    "count of all": Count(),
}
RANGES = {"since": {"S": "a"}, "until": {"S": "b"}}, {"prefix": {"S": "a"}}
LEVELS = Level("#", 2), Level(prefix_length=3)
KEPT = Kept(LISTED.source, SortRange("sk", **RANGES[0]), 10, is_backwards=True)


def forms() -> Iterator[tuple[str, Any, Read]]:
    """Yield every stored form, with values in its members, and what reads it."""
    for name, whole in WHOLE.items():
        yield f"{name}: plan", whole.kind.new_work(NAMED, whole.plan).to_json(), whole.kind.work
        yield f"{name}: state", progress_to_json(whole.unfinished, whole.plan), reads_state(whole)
    listing, act = WHOLE["listing"], WHOLE["act"]
    plans = [replace(LISTED, take=take) for take in TAKEN.values()]
    plans += [replace(LISTED, sort_range=SortRange("sk", **ends)) for ends in RANGES]
    plans += [replace(LISTED, source=replace(LISTED.source, **SKIPPED, level=level)) for level in LEVELS]
    plans.append(replace(LISTED, only=Only("0" * 32, 4)))
    for number, plan in enumerate(plans):
        yield f"listing: plan {number}", listing.kind.new_work(NAMED, plan).to_json(), listing.kind.work
    begun = replace(
        listing.unfinished, position=ScanPosition(2, (Cursor(3, counted=Counted(2, 1.5, before_ties=True)),))
    )
    yield "listing: state within a group", progress_to_json(begun, listing.plan), reads_state(listing)
    for name, document in DOCUMENTS.items():
        plan = replace(act.plan, action=decided({name: document}), max_dollars=2.5, max_units_per_second=5.0)
        yield f"act: plan to {name}", act.kind.new_work(NAMED, plan).to_json(), act.kind.work
    keeping = replace(act.plan, kept=KEPT, skips_ended=True, has_items=True, has_level=True)
    yield "act: plan to keep some", act.kind.new_work(NAMED, keeping).to_json(), act.kind.work
    for name in ("retrofit", "copy"):
        plan = WHOLE[name].plan
        bounded = replace(plan, max_write_units=3.0, max_write_units_per_second=2.0, reading=LISTED)
        yield f"{name}: plan with bounds", WHOLE[name].kind.new_work(NAMED, bounded).to_json(), WHOLE[name].kind.work
    failure = Failure(1, 2, "2026-01-01T00:00:00Z", "BatchError", "lost")
    yield "failure", form.write(failure), lambda document: form.read(Failure, document)


def reads_state(whole: Whole) -> Read:
    return lambda document: whole.kind.progress(document, whole.plan)


FORMS = {name: (json.loads(json.dumps(document)), read) for name, document, read in forms()}

CHOSEN = ("templates", "roles", "counted", "item", "key", "if")
"""Objects whose members are named by people: attributes and indexes. A template's value may be of any type."""

MAY_BE_NULL = {
    *("index", "batch_seconds", "take", "sort_range", "if", "max_deletes", "offset", 0),
    *("level", "delimiter", "prefix_length", "prefix", "since", "until", "only", "kept", "counted"),
    *("first", "last", "items", "beyond", "most", "order", "count", "up_to"),
    *("max_read_units_per_second", "max_units_per_second", "max_write_units_per_second"),
    *("max_read_units", "max_write_units", "max_dollars"),
}
"""Members whose null means something, and the entries of an act's window."""

LEARNT = "limit"
"""What a worker has learnt about pages. Whatever becomes of it, the result is the same."""

STATED = ("form", "done", "report")
"""Members that are not read as part of the progress."""

OTHERS = (None, True, "x", 7, 0.5, inf, nan, [5], {"x": 5})


def paths(document: Any, path: Path = ()) -> Iterator[Path]:
    """Yield where each member is, in objects and in the first entry of lists."""
    for name in document if isinstance(document, Mapping) else range(isinstance(document, list) and bool(document)):
        if name != LEARNT and not (path == () and name in STATED):
            yield (*path, name)
            yield from paths(document[name], (*path, name))


def changes(document: Any, path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the document with each change of a member."""
    *way, name = path

    def changed(change: Callable[[Any], object]) -> Any:
        copied = deepcopy(document)
        held = copied
        for step in way:
            held = held[step]
        change(held)
        return copied

    value = document
    for step in path:
        value = value[step]
    is_chosen = any(step in CHOSEN for step in way)
    if isinstance(name, str) and not is_chosen:
        yield "lost", changed(lambda held: held.pop(name))
        yield "renamed", changed(lambda held: held.update({f"{name}_": held.pop(name)}))
        if way:
            yield "unknown beside it", changed(lambda held: held.update(unknown=held[name]))
    if value is not None and not (is_chosen and path[-2] in {"item", "key", "if"}):
        for other in OTHERS:
            if is_another(other, value) and not (other is None and name in MAY_BE_NULL):
                yield f"{other}", changed(partial(put, name, other))


def put(name: Any, value: Any, held: Any) -> None:
    held[name] = value


def is_another(other: Any, value: Any) -> bool:
    """Return whether no value of this one's type can be the other: a number may be written without its fraction."""
    if type(value) is float:
        return type(other) is not int and other != 0.5
    return type(other) is not type(value)


@pytest.mark.parametrize("name", FORMS)
def test_no_member_is_lost_renamed_added_or_of_another_type_unnoticed(name: str) -> None:
    document, read = FORMS[name]
    whole, wrong = read(document), []
    for path in paths(document):
        for change, mutant in changes(document, path):
            try:
                if read(mutant) != whole:
                    wrong.append((path, change, "accepted"))
            except (SkipscanError, form.FormError) as error:
                if change == "lost" and not any(str(step) in str(error) for step in path):
                    wrong.append((path, change, str(error)))
    assert wrong == []


@pytest.mark.parametrize("other", ["ab", {"a": "b"}, {"a"}])
def test_a_list_is_nothing_else_that_has_members(other: object) -> None:
    with pytest.raises(form.FormError, match=r"^it is not a list$"):
        form.read(tuple[str, ...], other)
