"""A run that takes every item: each once, in its order, of a range or of all, at most so many of a group."""

import json
from collections import Counter, defaultdict
from typing import Any

import pytest

from skipscan.pace.bounds import Bounds
from skipscan.scan.taken import Taken
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import ListedRun, run
from tests.unit.scan.test_counting import giants

EXACT = 64
"""The length from which on a run keeps only a range of it."""


def items_taken(outcome: ListedRun) -> dict[str, list[Any]]:
    """Return the items of a run by their partition key, in the order of the lines."""
    several = len(outcome.plan.source.partition_key) > 1
    found = defaultdict(list)
    for line in outcome.keys:
        assert isinstance(line, Taken)
        found[repr(list(line.key) if several else [line.key])].append(line.items["item"])
    assert outcome.counts.keys == len(outcome.keys)
    assert outcome.lengths == Counter(map(len, found.values())) or max(map(len, found.values())) >= EXACT
    return dict(found)


@pytest.mark.parametrize("beyond", [None, 25])
@pytest.mark.parametrize("order", ["ascending", "descending"])
def test_a_range_of_any_size_goes_on_in_the_next_batch(order: str, beyond: int | None) -> None:
    """At one page of 1 MB a batch; no item is read twice."""
    fake = giants({"a": 60, "b": 2}, size=100_000)
    asked_: dict[str, Any] = {
        "since": 5,
        "take": {"items": "all", "order": order, "beyond": beyond},
        "strategy": "skip",
    }
    outcome = run(fake, Bounds(pages=1), table="Generated", segments=1, **asked_)
    (numbers,) = ([int(item["sk"]["N"]) for item in items] for items in items_taken(outcome).values())
    in_order = list(range(5, 60)) if order == "ascending" else list(range(59, 4, -1))
    assert numbers == in_order[beyond or 0 :]
    assert len(outcome.states) >= 6
    assert outcome.counts.items < 60 + 8
    cursors = [cursor for state in outcome.states for cursor in json.loads(state)["cursors"]]
    so_far = [cursor["counted"][0] for cursor in cursors if cursor["counted"]]
    assert so_far == sorted(so_far)
    assert so_far[-1] > 40


@pytest.mark.parametrize("beyond", [None, 7])
@pytest.mark.parametrize("since", [None, 0, 30])
@pytest.mark.parametrize(("collections", "length", "size"), [(100, 60, 190), (60, 40, 1500), (3, 900, 2000)])
def test_from_the_end_no_item_is_read_twice(
    collections: int, length: int, size: int, since: int | None, beyond: int | None
) -> None:
    """A page shows the begin of its last collection, and the Queries for the rest end behind it."""
    fake = giants({f"c{number}": length for number in range(collections)}, size=size)
    asked_: dict[str, Any] = {"table": "Generated", "segments": 1, "since": since}
    found = run(fake, **asked_, take={"items": "all", "order": "descending", "beyond": beyond})
    assert {tuple(int(item["sk"]["N"]) for item in own) for own in items_taken(found).values()} == {
        tuple(range(length - 1 - (beyond or 0), (since or 0) - 1, -1))
    }
    onward = run(fake, **asked_, take={"items": "all"})
    assert found.counts.items == onward.counts.items
    scanned = run(fake, table="Generated", segments=1, take={"items": "all"}).counts.read_units
    assert found.counts.read_units <= 1.05 * min(scanned, onward.counts.read_units)


def test_an_index_repeats_only_the_equal_sort_keys_at_the_end_of_a_page() -> None:
    items: list[Item] = [
        {"pk": {"S": "a"}, "sk": {"N": f"{n}"}, "at": {"N": f"{n // 3}"}, "v": {"B": bytes(3000)}} for n in range(900)
    ]
    index = IndexDefinition("by-time", KeySchema.of(("pk", "S"), ("at", "N")), "local")
    fake = FakeDynamoDB(TableDefinition("Generated", KeySchema.of(("pk", "S"), ("sk", "N")), (index,)), items)
    take = {"items": [], "order": "descending"} | {"items": ["v"]}
    found = run(fake, table="Generated", index="by-time", segments=1, take=take)
    (own,) = items_taken(found).values()
    assert [item["at"] for item in own] == [item["at"] for item in reversed(items)]
    assert len({item["sk"]["N"] for item in own}) == len(items)
    assert 900 < found.counts.items <= 903
