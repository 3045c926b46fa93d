"""What is counted of items, and that the counts stay small."""

from skipscan.dynamodb.item_bytes import item_bytes
from skipscan.profile.figures import BYTES, ITEMS, KEYS
from skipscan.profile.tally import MOST_NAMES, MOST_PREFIXES, OTHER, IndexRule, SegmentTally, TallyRules

SPARSE = IndexRule("sparse", (("ik", "S"),), frozenset({"pk", "sk", "ik"}))
RULES = TallyRules(("pk",), "sk", (SPARSE,), None, 0.0)


def tallied(*items: dict[str, dict[str, str]]) -> SegmentTally:
    tally = SegmentTally(RULES)
    tally.add(items)
    tally.end()
    return tally


def item(key: str, sort: str, **more: str) -> dict[str, dict[str, str]]:
    return {"pk": {"S": key}, "sk": {"S": sort}, **{name: {"S": value} for name, value in more.items()}}


def test_bytes_are_those_that_dynamodb_bills() -> None:
    made = [item("a", "ORDER#1", ik="x", note="n" * 1100), item("a", "ORDER#2"), item("b", "PROFILE")]
    counts = tallied(*made).counts
    assert counts[BYTES] == sum(map(item_bytes, made))
    assert sum(counts["attribute bytes", name] for name in ("pk", "sk", "ik", "note")) == counts[BYTES]
    assert (counts[ITEMS], counts[KEYS]) == (3, 2)
    assert counts["write units",] == 4


def test_a_collection_over_two_pages_counts_once() -> None:
    tally = SegmentTally(RULES)
    tally.add([item("a", "1"), item("a", "2")])
    tally.add([item("a", "3"), item("b", "1")])
    tally.end()
    assert tally.counts[KEYS] == 2
    assert tally.largest_items == 3


def test_an_index_holds_the_items_with_its_key_in_the_right_type() -> None:
    wrong = {**item("c", "1"), "ik": {"N": "5"}}
    held = item("a", "1", ik="x", note="n" * 3000)
    counts = tallied(held, item("b", "1"), wrong).counts
    assert counts["index items", "sparse"] == 1
    assert counts["index bytes", "sparse"] == item_bytes({name: held[name] for name in ("pk", "sk", "ik")})
    assert counts["index write units", "sparse"] == 1


def test_types_of_items_count_keys_items_and_bytes() -> None:
    counts = tallied(item("a", "ORDER#1"), item("a", "ORDER#2"), item("b", "ORDER#1"), item("b", "x")).counts
    assert (counts["prefix keys", "ORDER"], counts["prefix items", "ORDER"]) == (2, 3)


def test_the_counts_are_bounded_whatever_the_names() -> None:
    letters = [f"{chr(65 + n // 26 % 26)}{chr(65 + n % 26)}{'X' * (n // 676)}" for n in range(1000)]
    tally = tallied(*(item(name, f"{name}#1", **{f"name{name}": "v"}) for name in letters))
    told = {figure[0]: 0 for figure in tally.counts}
    for figure in tally.counts:
        told[figure[0]] += 1
    assert told["attribute items"] == MOST_NAMES + 1
    assert told["prefix items"] == MOST_PREFIXES
    assert tally.counts["attribute items", OTHER] == 1000 + 2 - MOST_NAMES
    assert (
        sum(tally.counts["attribute bytes", figure[1]] for figure in tally.counts if figure[0] == "attribute bytes")
        == (tally.counts[BYTES])
    )
