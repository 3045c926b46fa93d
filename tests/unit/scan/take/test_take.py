"""The first item of every collection comes with its key; and what cannot be taken is refused."""

from random import Random
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.errors import OMITTED, InputError
from skipscan.listing.execution_input import parse
from skipscan.pace.bounds import Bounds
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import Client, SkipIgnored
from tests.fakes.odd_pages import ShortPages, Vanished
from tests.fakes.tables import GeneratedTable, indexed_tables, tables
from tests.fakes.turns import ListedRun, planned, run
from tests.refusal import refused
from tests.unit.scan.take.test_last import customers

BY_COUNTRY = {"index": "by-country"}


ANY_TABLE = tables() | indexed_tables()
SPLITS = st.sampled_from([(1, 1), (3, 2), (20, 2)])
BOUNDS = st.builds(Bounds, pages=st.none() | st.integers(1, 4))
ALL = {"first": "all"}


def first_items(fake: FakeDynamoDB, index: str | None, is_gone: Any = lambda item: False) -> dict[str, Item]:
    """Return by its partition key the first item of each collection in the order of the view, without that key."""
    view = fake.table("Generated").views[index]
    names = [attribute.name for attribute in view.order.key.partition]
    found: dict[str, Item] = {}
    for entry in view.entries:
        if not is_gone(entry.item):
            rest = {name: value for name, value in entry.item.items() if name not in names}
            found.setdefault(repr([entry.item[name] for name in names]), rest)
    return found


def lines(outcome: ListedRun) -> dict[str, Item]:
    """Return what a run took, by partition key; each key comes once."""
    several = len(outcome.plan.source.partition_key) > 1
    taken = {repr(list(line.key) if several else [line.key]): line.items["first"] for line in outcome.keys}
    assert len(taken) == len(outcome.keys)
    return taken


def asked(table: GeneratedTable, split: tuple[int, int], **others: Any) -> dict[str, Any]:
    return {"table": "Generated", "index": table.index, "segments": split[0], "workers": split[1], **others}


def oddly(client: FakeDynamoDB, seed: int) -> Client:
    """Return the client, or one that answers in a way that is odd and true."""
    return (client, ShortPages(client, Random(seed)), SkipIgnored(client))[seed % 3]


@given(ANY_TABLE, SPLITS, BOUNDS, st.sampled_from([2, 3, 10]), st.booleans())
def test_between_items_that_vanish_it_is_the_first_that_stays(
    table: GeneratedTable, split: tuple[int, int], bounds: Bounds, share: int, most: bool
) -> None:
    identity = [attribute.name for attribute in table.definition.key.attributes]

    def is_gone(item: Item) -> bool:
        return bool(crc32(repr([item[name] for name in identity]).encode()) % share) is most

    fake = table.load(FakeDynamoDB())
    outcome = run(Vanished(fake, is_gone), bounds, **asked(table, split, take=ALL))
    assert lines(outcome) == first_items(fake, table.index, is_gone)


@given(ANY_TABLE, SPLITS)
def test_first_items_cost_what_the_keys_do(table: GeneratedTable, split: tuple[int, int]) -> None:
    fake = table.load(FakeDynamoDB())
    assert run(fake, **asked(table, split, take=ALL)).counts == run(fake, **asked(table, split)).counts


ITEMS: dict[str, Any] = {"items": "all"}


@pytest.mark.parametrize(
    ("take", "field", "value", "remedy", "rule"),
    [
        ({}, "take", {}, "", ""),
        (["a"], "take", ["a"], "", "an object$"),
        ({"first": []}, "take.first", [], "", '"all", or a list of 1 to 100'),
        ({"first": ["a", "a"]}, "take.first", ["a", "a"], "", ""),
        ({"first": "name"}, "take.first", "name", "", ""),
        ({"last": []}, "take.last", [], "", ""),
        ({"items": []}, "take.items", [], "", '"all", or a list of 1 to 100'),
        ({**ITEMS, "most": 0}, "take.most", 0, "", "1 to 1000000000$"),
        ({**ITEMS, "beyond": 0}, "take.beyond", 0, "", "1 to 1000000000$"),
        ({**ITEMS, "order": "newest"}, "take.order", "newest", "", "ascending, descending$"),
        ({**ITEMS, "last": "all"}, "take.last", "all", "take.last", "all items, or the first"),
        ({"most": 5}, "take.most", 5, "take.items", "take.items takes$"),
        ({"order": "descending", "last": "all"}, "take.order", "descending", "take.items", "take.items takes$"),
        ({"count": 5}, "take.count", 5, "", "an object$"),
        ({"count": {"up_to": 0}}, "take.count.up_to", 0, "", "1 to 1000000000$"),
        ({"count": {}, "first": "all"}, "take.count", OMITTED, "take.count take.first", "counts items or"),
    ],
)
def test_what_cannot_be_taken_is_refused(take: Any, field: str, value: object, remedy: str, rule: str) -> None:
    with refused(InputError, field, value, remedy, rule=rule):
        parse({"table": "Customers", "take": take})


@pytest.mark.parametrize(
    ("take", "member", "way"),
    [
        ({"firts": ["a"]}, "firts", "^did you mean first"),
        ({**ITEMS, "ordre": "ascending"}, "ordre", "^did you mean order"),
        ({"count": {"upto": 1}}, "upto", "^did you mean up_to"),
        ({"count": {}, "zzz": 1}, "zzz", r'\{"first": \["name"\]\}$'),
    ],
)
def test_a_member_that_there_is_not_is_answered_with_what_was_meant(take: Any, member: str, way: str) -> None:
    with refused(InputError, f'"{member}"', rule="is not a field of take", way=way):
        parse({"table": "Customers", "take": take})


@pytest.mark.parametrize(
    ("take", "beside", "field", "value", "remedy", "rule"),
    [
        (ITEMS, {"strategy": "skip"}, "strategy", "skip", "strategy", "every item"),
        ({"count": {}}, {"strategy": "skip"}, "strategy", "skip", "strategy", "every item"),
        (ITEMS, {"compare": "previous"}, "compare", "previous", "compare", "compared by their keys"),
        ({**ITEMS, "order": "descending"}, BY_COUNTRY, "take.order", OMITTED, "take.order", "has no sort key"),
        ({"last": "all"}, BY_COUNTRY, "take.last", OMITTED, "take.first index", ""),
        ({"last": ["name"]}, {"index": "by-since"}, "take.last", OMITTED, "index", ""),
    ],
)
def test_what_a_source_cannot_give_is_refused(  # noqa: PLR0917 (a row)
    take: dict[str, Any], beside: dict[str, str], field: str, value: object, remedy: str, rule: str
) -> None:
    with refused(InputError, field, value, remedy, rule=rule):
        planned(customers(1, 1), table="Customers", take=take, **beside)


@pytest.mark.parametrize(
    ("index", "name", "projected"),
    [("in-country", "photo", "country, since, pk, sk, name"), ("by-since", "name", "pk, since, sk")],
)
def test_an_attribute_that_an_index_does_not_project_is_refused_by_the_plan(
    index: str, name: str, projected: str
) -> None:
    rule = f'^has "{name}"; index "{index}" projects {projected} only$'
    with refused(InputError, "take.first", remedy="index", rule=rule, way='"all"'):
        planned(customers(1, 1), table="Customers", index=index, take={"first": [name]})


@pytest.mark.parametrize("name", ["first", "read"])
def test_a_partition_key_that_a_line_could_not_hold_is_refused(name: str) -> None:
    fake = FakeDynamoDB(TableDefinition("Odd", KeySchema.of((name, "S"))), ())
    with refused(InputError, "take", remedy="take"):
        planned(fake, table="Odd", take=ALL)
