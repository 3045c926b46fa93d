"""What is counted of items, and that the counts stay small."""

from collections import Counter
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import item_bytes
from skipscan.profile.figures import BYTES, ITEMS, KEYS
from skipscan.profile.tally import OTHER, CountName, SegmentTally, TallyRules
from tests.unit.profile.tables import NOW, described_document, index

SPARSE = [index("sparse", "KEYS_ONLY")]


def tallied(*pages: Any, indexes: Any = SPARSE, ttl: str | None = None) -> Counter[CountName]:
    """Return the counts of a segment with these pages."""
    description = TableDescription.from_json(described_document([], GlobalSecondaryIndexes=indexes))
    tally = SegmentTally(TallyRules(description, ttl, NOW))
    for page in pages:
        tally.add(page)
    tally.end()
    return tally.counts + tally.details


def item(key: str, sort: str, **more: str) -> dict[str, dict[str, str]]:
    return {"pk": {"S": key}, "sk": {"S": sort}, **{name: {"S": value} for name, value in more.items()}}


def test_bytes_are_those_that_dynamodb_bills() -> None:
    made = [item("a", "ORDER#1", ik="x", note="n" * 1100), item("a", "ORDER#2"), item("b", "PROFILE")]
    counts = tallied(made)
    assert counts[BYTES] == sum(map(item_bytes, made))
    assert sum(counts["attribute bytes", name] for name in ("pk", "sk", "ik", "note")) == counts[BYTES]
    assert (counts[ITEMS], counts[KEYS]) == (3, 2)
    assert counts["write units",] == 4


def test_an_index_holds_the_items_with_its_key_in_the_right_type() -> None:
    wrong = {**item("c", "1"), "ik": {"N": "5"}}
    held = item("a", "1", ik="x", note="n" * 3000)
    counts = tallied([held, item("b", "1"), wrong])
    assert counts["index items", "sparse"] == 1
    assert counts["index bytes", "sparse"] == item_bytes({name: held[name] for name in ("pk", "sk", "ik")})
    assert counts["index write units", "sparse"] == 1


def test_the_counts_are_bounded_whatever_the_names() -> None:
    letters = [f"{chr(65 + n // 26 % 26)}{chr(65 + n % 26)}{'X' * (n // 676)}" for n in range(1000)]
    counts = tallied([item(name, f"{name}#1", **{f"name{name}": "v"}) for name in letters])
    told = Counter(figure[0] for figure in counts)
    assert told["attribute items"] == 300 + 1
    assert told["prefix items"] == 200
    assert counts["attribute items", OTHER] == 1000 + 2 - 300
    assert sum(count for figure, count in counts.items() if figure[0] == "attribute bytes") == counts[BYTES]


TEXTS = st.sampled_from(["", "ORDER#1", "LINE#2", "x", "größe", "12", "-5", "2026-11-01", "Ω" * 900])
VALUES = st.one_of(
    st.builds(lambda text: {"S": text}, TEXTS),
    st.builds(lambda number: {"N": str(number)}, st.integers(-3, 1 << 50)),
    st.just({"N": "1800000000000"}),
    st.just({"L": [{"M": {"a": {"S": "b"}}}, {"NULL": True}]}),
    st.just({"B": bytes(5)}),
    st.just({"SS": ["a", "b"]}),
)
ITEMS_MADE = st.builds(
    lambda key, sort, more: {**more, "pk": {"S": key}, "sk": {"S": sort}},
    st.sampled_from("abc"),
    TEXTS,
    st.dictionaries(st.sampled_from(["ik", "ttl", "note", "größe"]), VALUES),
)
EVERY: dict[str, Any] = {"indexes": [*SPARSE, index("all"), index("same"), index("by time", of="ttl")], "ttl": "ttl"}


@given(st.lists(ITEMS_MADE, min_size=1, max_size=30))
def test_items_of_a_page_count_as_if_each_was_a_page(items: list[Any]) -> None:
    together = tallied(items, **EVERY)
    assert together == tallied(*([one] for one in items), **EVERY)
    assert together[BYTES] == sum(map(item_bytes, items))


def test_items_are_counted_by_sizes_that_double() -> None:
    """Up to the largest that DynamoDB stores, with the sizes at which a write takes one unit more at first."""
    edges = [1024 * kilobytes for kilobytes in (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 400)]
    for smaller, edge in pairwise([0, *edges]):
        for size in (smaller + 40, edge):
            counts = tallied([item("a", "1", note="n" * (size - item_bytes(item("a", "1", note=""))))])
            assert counts["items of size", edge] == 1, size
