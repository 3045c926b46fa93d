"""A walk finds each key of its segment once, for any pages and any interruption."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item, Level, Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import InputError, TableError
from skipscan.pace.pace import PASSING_FAULTS
from skipscan.scan.cursor import Cursor
from skipscan.scan.groups import Groups
from skipscan.scan.walk import Walk
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.tables import GeneratedTable
from tests.fakes.turns import planned, run
from tests.house.suite.examples import examples
from tests.refusal import refused
from tests.unit.scan.take.test_take import ANY_TABLE, SPLITS, asked
from tests.unit.scan.test_batch import expected, listed
from tests.unit.scan.test_counting import giants

PK, SK = KeyAttribute("pk", "S"), KeyAttribute("sk", "S")
TABLE = Source("T", None, SourceKind.TABLE, (PK,), (SK,), ())
INDEX = Source("T", "i", SourceKind.GLOBAL_INDEX, (PK,), (SK,), (KeyAttribute("id", "S"),))


def key(pk: str, sk: str = "1") -> Item:
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def past(pk: str) -> Item:
    return {"pk": {"S": pk}, "sk": MAXIMUM["S"]}


def page(items: Sequence[Item], last: Item | None) -> Page:
    return Page(items, last, 0.5)


def found(walk: Walk, items: Sequence[Item], last: Item | None) -> list[str]:
    return [each["S"] for each in walk.receive(page(items, last)).keys]


def begun(source: Source = TABLE, **cursor: Any) -> Walk:
    return Walk(Groups(source), Cursor(3, **cursor))


def test_an_empty_page_that_ends_further_on_does_not_skip_the_collection_it_ends_in() -> None:
    walk = begun()
    assert found(walk, [], key("b")) == []
    assert walk.start_key == key("b")
    assert found(walk, [key("b", "2"), key("c")], key("c")) == ["b", "c"]
    assert found(walk, [], key("d")) == []
    assert walk.start_key == key("d")
    assert found(walk, [key("d", "2")], key("d", "2")) == ["d"]
    assert walk.start_key == past("d")


def test_an_ignored_skip_stops_the_skipping_and_repeats_are_dropped() -> None:
    walk = begun(start_key=key("a"), reported=True)
    assert found(walk, [key("a", "2"), key("b")], key("b")) == ["b"]
    assert (walk.skip_ignored, walk.skipping, walk.start_key) == (True, False, key("b"))
    assert found(walk, [key("b", "2"), key("c")], key("c")) == ["c"]
    assert walk.cursor == Cursor(3, key("c"), reported=True, skipping=False)


@pytest.mark.parametrize("items", [[key("a", "11"), key("a", "12")], []])
def test_a_page_that_goes_back_to_the_beginning_of_a_collection_with_groups_is_given_up(items: list[Item]) -> None:
    walk = begun(replace(TABLE, level=Level(prefix_length=1)), start_key=key("a", "22"), reported=True)
    assert found(walk, items, key("a", "12")) == []
    assert (walk.skip_ignored, walk.skipping, walk.start_key) == (True, False, key("a", "22"))
    assert walk.receive(page([key("a", "23"), key("a", "31")], None)).keys == [({"S": "a"}, {"S": "3"})]
    assert walk.finished


def test_an_empty_page_that_ends_at_a_made_up_key_leaves_the_true_one_to_read_on_from() -> None:
    walk = begun(replace(TABLE, level=Level(prefix_length=1)), start_key=key("a", "22"), reported=True)
    made_up = walk.start_key
    assert made_up != key("a", "22")
    assert found(walk, [], made_up) == []
    assert walk.start_key == made_up
    assert found(walk, [key("a", "11"), key("a", "12")], key("a", "12")) == []
    assert (walk.skip_ignored, walk.skipping, walk.start_key) == (True, False, key("a", "22"))


def test_queries_that_go_in_a_circle_end_the_walk() -> None:
    walk = begun(start_key=key("a"), reported=True)
    places = [key("a", f"{place}") for place in (2, 3)]

    def follow() -> None:
        for place in 50 * places:
            walk.go_to(place)
            assert walk.cursor.start_key == place

    with pytest.raises(TableError):
        follow()


def test_an_item_at_the_maximum_of_an_index_is_no_ignored_skip() -> None:
    """Other items with the same index key may follow: the table's keys distinguish them."""
    walk = begun(INDEX, start_key={**key("a"), "id": {"S": "1"}}, reported=True)
    assert found(walk, [past("a"), key("b")], {**key("b"), "id": {"S": "2"}}) == ["b"]
    assert (walk.skip_ignored, walk.skipping) == (False, True)
    assert found(walk, [key("b", "2"), key("c")], None) == ["c"]
    assert walk.skip_ignored


def test_a_refused_skip_is_given_up_and_an_honest_start_key_is_not() -> None:
    walk = begun(start_key=key("a"), reported=True)
    assert walk.refuse_skip()
    assert (walk.start_key, walk.skipping, walk.skip_ignored) == (key("a"), False, True)
    assert not walk.refuse_skip()
    honest = begun(start_key=key("a"), reported=False)
    assert not honest.refuse_skip()
    assert (honest.skipping, honest.skip_ignored) == (True, False)


@settings(max_examples=examples(200))
@given(ANY_TABLE, SPLITS, st.sampled_from([(), ("Items",), ("ConsumedCapacity",), ("Items", "Count")]))
def test_a_truncated_answer_is_requested_again(
    table: GeneratedTable, split: tuple[int, int], left: tuple[str, ...]
) -> None:
    """HTTP status 200, and the body cut off. `left`: what a client that reads answers by itself still finds."""
    cut: Counter[str] = Counter()

    def cut_short(scan: Any, parameters: dict[str, Any]) -> Any:
        """Answer so as often as the product tries again, at every place."""
        place, answer = repr([parameters.get(name) for name in ("Segment", "ExclusiveStartKey")]), scan(**parameters)
        cut[place] += 1
        return answer if cut[place] > PASSING_FAULTS else {name: answer[name] for name in left}

    outcome = run(faulty(table.load(FakeDynamoDB()), {"scan": repeat(cut_short)}), **asked(table, split))
    assert cut
    assert listed(outcome) == expected(table)


SORTED = Source("T", None, SourceKind.TABLE, (PK,), (SK,), (), Level("#"))
SHARED = Source("T", "i", SourceKind.GLOBAL_INDEX, (PK,), (SK,), (KeyAttribute("id", "S"),), Level("#"))


def groups(walk: Walk, items: Sequence[Item], last: Item | None) -> list[tuple[str, str]]:
    return [(pk["S"], prefix["S"]) for pk, prefix in walk.receive(page(items, last)).keys]


def test_a_sort_key_without_delimiter_is_a_group_and_those_that_begin_with_it_follow() -> None:
    walk = begun(SORTED)
    assert groups(walk, [key("a", "O")], key("a", "O")) == [("a", "O")]
    assert walk.start_key == key("a", "O")
    assert groups(walk, [key("a", "O#1")], None) == [("a", "O#")]


def test_a_page_that_begins_in_the_group_just_skipped_stops_the_skipping() -> None:
    walk = begun(SORTED, start_key=key("a", "O#1"), reported=True)
    assert groups(walk, [key("a", "O#2"), key("a", "P#1")], key("a", "P#1")) == [("a", "P#")]
    assert (walk.skip_ignored, walk.skipping, walk.start_key) == (True, False, key("a", "P#1"))


def test_items_with_one_sort_key_in_a_global_index_are_gone_through_without_distrust() -> None:
    """No start key lies behind all of them and before all other sort keys."""
    last = {**key("a", "O"), "id": {"S": "1"}}
    walk = begun(SHARED, start_key=last, reported=True)
    assert walk.start_key == last
    assert groups(walk, [key("a", "O"), key("a", "O#1")], {**key("a", "O#1"), "id": {"S": "2"}}) == [("a", "O#")]
    assert (walk.skip_ignored, walk.skipping) == (False, True)


def test_numbers_have_no_prefixes() -> None:
    with refused(InputError, "prefix_length", 1, "prefix_length", rule="only sort keys of the types S and B have"):
        planned(giants({"a": 1}), table="Generated", prefix_length=1)
