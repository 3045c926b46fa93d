"""A run with a range: exactly the collections with an item in it, with the first and the last of those items."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.errors import InputError
from skipscan.listing.scope import Scope
from skipscan.pace.bounds import Bounds
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import planned, run
from tests.refusal import refused
from tests.unit.scan.take.test_last import ALL, customers, lines
from tests.unit.scan.take.test_take import BOUNDS, SPLITS, oddly

Kind = Literal["S", "N", "B"]
WRITTEN: Mapping[Kind, Callable[[int], Any]] = {"S": lambda n: f"{n:02d}", "N": str, "B": lambda n: bytes([n])}
"""A sort key with a number, by type; and in a person's words."""
SAID: Mapping[Kind, Callable[[int], Any]] = {
    "S": lambda n: f"{n:02d}",
    "N": int,
    "B": lambda n: ["AA==", "AQ==", "Ag==", "Aw==", "BA==", "BQ=="][n],
}


def numbered(seed: int, kind: Kind) -> tuple[FakeDynamoDB, dict[str, list[int]]]:
    """Return collections with some of the sort keys 0 to 29, and these by partition key."""
    random = Random(seed)
    held = {f"c{pk}": sorted(random.sample(range(30), random.randint(1, 9))) for pk in range(random.randint(0, 12))}
    items: list[Item] = [
        {"pk": {"S": pk}, "sk": {kind: WRITTEN[kind](n)}, "v": {"B": bytes(random.choice([1, 3000]))}}
        for pk, numbers in held.items()
        for n in numbers
    ]
    fake = FakeDynamoDB()
    fake.add(TableDefinition("Generated", KeySchema.of(("pk", "S"), ("sk", kind))), items)
    return fake, held


@given(
    st.integers(0, 10**6),
    st.sampled_from(list(WRITTEN)),
    SPLITS,
    BOUNDS,
    st.integers(0, 5),
    st.integers(0, 5),
    st.sampled_from(["since", "until", "between"]),
    st.booleans(),
    st.booleans(),
)
def test_a_range_lists_exactly_the_keys_with_items_in_it(  # noqa: PLR0917 (what is drawn)
    seed: int,
    kind: Kind,
    split: tuple[int, int],
    bounds: Bounds,
    one: int,
    other: int,
    form: str,
    pages: bool,
    takes: bool,
) -> None:
    """Also where pages are cut anywhere or empty, skips are ignored or not made, and batches end after any page."""
    fake, held = numbered(seed, kind)
    low, high = sorted((one, other))
    bound = {"since": SAID[kind](low), "until": SAID[kind](high), "between": [SAID[kind](low), SAID[kind](high)]}
    among = {
        key: found
        for key, numbers in held.items()
        if (found := [n for n in numbers if (form == "until" or n >= low) and (form == "since" or n <= high)])
    }
    asked: dict[str, Any] = {"table": "Generated", "segments": split[0], "workers": split[1], form: bound[form]}
    outcome = run(oddly(fake, seed), bounds, **asked, strategy="page" if pages else "auto", take=ALL if takes else None)
    assert outcome.counts.keys == len(outcome.keys)
    assert outcome.counts.ended == 0
    if takes:
        ends = {key: tuple(item and item["sk"] for item in both) for key, both in lines(outcome).items()}
        assert ends == {
            repr([{"S": key}]): tuple({kind: WRITTEN[kind](n)} for n in (numbers[0], numbers[-1]))
            for key, numbers in among.items()
        }
    else:
        assert sorted(key["S"] for key in outcome.keys) == sorted(among)


def test_what_a_page_shows_needs_no_query() -> None:
    """Every collection begins before the end of the range, so a page of its first item decides."""
    first = run(customers(), table="Customers", segments=2, until="010", take={"first": ["name"]})
    assert (first.counts.lookups, len(first.keys)) == (0, 30)
    take = {"first": ["name"], "last": ["name"]}
    later = run(customers(), table="Customers", segments=2, since="039", take=take)
    assert {line.items["first"]["name"]["S"] for line in later.keys} == {f"{n}-39" for n in range(30)}
    assert later.counts.lookups == 0


def test_a_page_begins_where_the_range_does() -> None:
    """A collection costs one page where its range is short: behind the range that shows the next collection."""
    short = run(customers(), table="Customers", segments=1, since="039")
    assert (len(short.keys), short.counts.lookups) == (30, 0)
    assert short.counts.read_units <= 0.5 * 30 + 6
    among = run(customers(), table="Customers", segments=1, between=["030", "031"])
    assert (len(among.keys), among.counts.lookups) == (30, 0)
    assert among.counts.read_units <= 2 * 0.5 * 30 + 5


def test_only_the_end_of_a_long_range_takes_a_query() -> None:
    long = run(customers(), table="Customers", segments=2, since="020", take={"last": ["name"]})
    assert {line.items["last"]["name"]["S"] for line in long.keys} == {f"{n}-39" for n in range(30)}
    assert 0 < long.counts.lookups <= 30


def test_runs_of_other_ranges_are_not_compared() -> None:
    scopes = {
        Scope.of(planned(customers(1, 1), table="Customers", **asked)).id
        for asked in ({}, {"since": "1"}, {"until": "1"}, {"prefix": "1"}, {"between": ["1", "2"]})
    }
    assert len(scopes) == 5


@pytest.mark.parametrize(
    ("asked", "rule", "remedy"),
    [
        ({"prefix": 7}, "a text of at least one character", ""),
        ({"since": True}, "a sort key", ""),
        ({"until": ""}, "a sort key", ""),
        ({"between": ["a"]}, "a list of the first and the last sort key", ""),
        ({"prefix": "a", "until": "b"}, "a run has one range of sort keys", "prefix until"),
        ({"since": "b", "until": "a"}, "the range would end before it begins", ""),
        ({"between": ["b", "a"]}, "the range would end before it begins", ""),
        ({"since": "1e126", "index": "by-since"}, "it is not a number of up to 38 digits, from 1E-130", ""),
        ({"since": 2026}, 'the sort key "sk" of "Customers" is of type S', ""),
        ({"prefix": "a" * 1025}, "it must have 1 to 1024 bytes", ""),
        ({"prefix": "1", "index": "by-since"}, "of type N, and a number has no prefix", "since until"),
        ({"since": "today", "index": "by-since"}, "it is not a number of", ""),
        ({"since": "1", "index": "by-country"}, '"by-country" has no sort key, so its items have no range', "since"),
        ({"since": "1", "resume": "r"}, "a resumed run keeps its plan", "since"),
    ],
)
def test_a_range_that_cannot_be_is_refused(asked: dict[str, Any], rule: str, remedy: str) -> None:
    (field, value), *others = asked.items()
    beside = {name: other for name, other in others if name != "index"}
    with refused(InputError, field, value, remedy, rule=rule, **beside):
        planned(customers(1, 1), table="Customers", **asked)


def test_a_range_without_an_end_is_refused() -> None:
    with refused(InputError, "between", None, rule="a sort key"):
        planned(customers(1, 1), table="Customers", between=["a", None])
