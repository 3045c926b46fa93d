"""Writes between any two pages, chosen to hurt: a run finds every key with an item that stayed, none that never was."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.source import PartitionKey
from skipscan.pace.bounds import Bounds
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import Client, EmptyPages, SkipIgnored, Wrapper
from tests.fakes.table import FakeTable
from tests.fakes.turns import run
from tests.house.suite.examples import examples

pytestmark = pytest.mark.slow

KEYS = 12
SORTS = 5
STATES = 4
INDEXES = (
    IndexDefinition("local", KeySchema.of(("pk", "S"), ("date", "N")), "local"),
    IndexDefinition("global", KeySchema.of(("state", "S"), ("date", "N"))),
    IndexDefinition("plain", KeySchema.of(("state", "S"))),
)
DEFINITION = TableDefinition("Busy", KeySchema.of(("pk", "S"), ("sk", "N")), INDEXES)
SOURCES = (None, "local", "global", "plain")

ENGINES = (Wrapper, EmptyPages, SkipIgnored)
CASES = [
    pytest.param(engine, index, id=f"{index or 'table'}-{engine.__name__}", marks=[pytest.mark.long] * bool(others))
    for place, index in enumerate(SOURCES)
    for others, engine in enumerate(ENGINES[place % 3 :] + ENGINES[: place % 3])
]
"""Each with each. `make test` tries every table and index with one engine, and every engine."""

Key = tuple[int, int]
"""Partition and sort key of the table, as numbers; the last sort key is the greatest there can be."""


def item(key: Key, state: int | None, body_bytes: int) -> Item:
    pk, sk = key
    row: dict[str, Any] = {
        "pk": {"S": f"p{pk}"},
        "sk": MAXIMUM["N"] if sk == SORTS else {"N": str(sk)},
        "date": MAXIMUM["N"] if sk % 2 else {"N": str(-sk)},  # equal sort keys in the global index, some the greatest
        "body": {"B": bytes(body_bytes)},
    }
    return row if state is None else {**row, "state": {"S": f"s{state}"}}


Write = Callable[[FakeTable, Item | None], None]
"""Writes to a table before a page, which has this start key."""


def put(table: FakeTable, _: Item | None, *, key: Key, state: int | None, body_bytes: int) -> None:
    """Insert an item, or replace it, which may move it from one key of the global indexes to another or out of them."""
    table.put(item(key, state, body_bytes))


def delete(table: FakeTable, _: Item | None, *, key: Key) -> None:
    table.delete(item(key, None, 0))


def delete_collection(table: FakeTable, _: Item | None, *, pk: int) -> None:
    """All items of a key go at once."""
    for sk in range(SORTS + 1):
        table.delete(item((pk, sk), None, 0))


def write_at_the_cursor(table: FakeTable, start_key: Item | None, *, place: int | None, state: int | None) -> None:
    """In the collection in which a walk's last page ended, put an item at its begin or its end, or delete it whole."""
    if start_key is None:
        return
    pk = int(start_key["pk"]["S"][1:])
    if place is None:
        delete_collection(table, None, pk=pk)
    else:
        put(table, None, key=(pk, place), state=state, body_bytes=10)


def frozen(key: PartitionKey) -> Any:
    """A partition key that can be in a set; keys are dictionaries, or tuples of them."""
    return tuple(map(frozen, key)) if isinstance(key, tuple) else tuple(key.items())


@dataclass
class History:
    """`always`: the items that were there at every moment so far. `ever`: the partition keys that were at any.

    Both are told by pairs of an item's own key and its partition key. A key that is kept alive by one item after the
    other is promised to nobody: a page is not read at one moment.
    """

    always: set[tuple[Any, Any]]
    ever: set[Any] = field(init=False)

    def __post_init__(self) -> None:
        self.ever = {key for _, key in self.always}

    def see(self, present: set[tuple[Any, Any]]) -> None:
        self.always &= present
        self.ever |= {key for _, key in present}

    def judge(self, keys: Iterable[PartitionKey]) -> None:
        """Assert that the keys of a run are right: all with an item that stayed, none that never was, none twice."""
        found = [frozen(key) for key in keys]
        assert len(found) == len(set(found)), "a key is reported twice"
        assert not set(found) - self.ever, "a key is reported that never was"
        assert not {key for _, key in self.always} - set(found), "a key is missing that was always there"


class Written(Wrapper):
    """Applies the next writes before every page, ends pages after a few items, and keeps the history."""

    def __init__(
        self,
        client: Client,
        *,
        table: FakeTable,
        index: str | None,
        writes: list[list[Write]],
        vanishing: list[bool],
        page_items: int,
    ) -> None:
        super().__init__(client)
        self._table = table
        self._view = table.views[index]
        self._writes = iter(writes)
        self._vanishing = iter(vanishing)
        self._page_items = page_items
        self._pages = 0
        self.history = History(self._present())

    def scan(self, **parameters: Any) -> Any:
        for write in next(self._writes, ()):
            write(self._table, parameters.get("ExclusiveStartKey"))
            self.history.see(self._present())
        self._pages += 1
        assert self._pages < 2_000, "the run makes no progress"
        is_vanishing = next(self._vanishing, False)
        # A page may always end before its Limit, or without one before 1 MB.
        most = 1 if is_vanishing else self._page_items
        answer = self.client.scan(**{**parameters, "Limit": min(parameters.get("Limit", most), most)})
        return self._vanished(answer) if is_vanishing and "LastEvaluatedKey" in answer else answer

    def _vanished(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The page whose one item was deleted while it was read: it still ends there."""
        self._table.delete(answer["LastEvaluatedKey"])
        self.history.see(self._present())
        return {**answer, "Items": [], "Count": 0}

    def _present(self) -> set[tuple[Any, Any]]:
        (attribute,) = self._view.order.key.partition
        return {(entry.position, frozen(entry.item[attribute.name])) for entry in self._view.entries}


keys = st.tuples(st.integers(0, KEYS - 1), st.integers(0, SORTS))
states = st.none() | st.integers(0, STATES - 1)


def drawn(write: Callable[..., None], **given: st.SearchStrategy[Any]) -> st.SearchStrategy[Write]:
    return st.builds(partial, st.just(write), **given)


writes = st.lists(
    st.lists(
        drawn(put, key=keys, state=states, body_bytes=st.sampled_from([10, 1500, 5000]))
        | drawn(delete, key=keys)
        | drawn(delete_collection, pk=st.integers(0, KEYS - 1))
        | drawn(write_at_the_cursor, place=st.sampled_from([None, 0, SORTS]), state=states)
    ),
    max_size=30,
)


@pytest.mark.parametrize(("engine", "index"), CASES)
@settings(max_examples=examples(70))
@given(
    loaded=st.dictionaries(keys, states, max_size=40),
    writes=writes,
    segments=st.integers(1, 5),
    workers=st.integers(1, 2),
    pages=st.integers(1, 6),
    page_items=st.integers(1, 5),
    vanishing=st.lists(st.booleans(), max_size=20),
    crashes=st.lists(st.booleans(), max_size=6),
)
def test_writes_between_any_two_pages(
    *,
    engine: type[Wrapper],
    index: str | None,
    loaded: dict[Key, int | None],
    writes: list[list[Write]],
    segments: int,
    workers: int,
    pages: int,
    page_items: int,
    vanishing: list[bool],
    crashes: list[bool],
) -> None:
    fake = FakeDynamoDB()
    table = fake.add(DEFINITION, (item(key, state, 1500) for key, state in loaded.items()))
    client = engine(fake)
    written = Written(client, table=table, index=index, writes=writes, vanishing=vanishing, page_items=page_items)
    asked: dict[str, Any] = {
        "table": DEFINITION.name,
        "index": index,
        "segments": segments,
        "workers": min(workers, segments),
    }
    written.history.judge(run(written, Bounds(pages=pages), crashes=crashes, **asked).keys)
