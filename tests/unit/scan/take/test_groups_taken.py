"""Item collections and their groups, in a range or not, with what is taken of each: exactly what reading all finds."""

from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Level
from skipscan.pace.bounds import Bounds
from skipscan.scan.taken import Taken
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import ListedRun, run
from tests.unit.scan.take.test_take import BOUNDS, SPLITS, oddly

LONG = "L" * 1018
TEXTS = (
    *("ORDER", "ORDER#", "ORDER#1", "ORDER#2#x", "ORDER#2#y", "ORDER#2", "ORDER\x00", "#", "##", "#a#", "a##b", "P"),
    *("ORDER#\U0010ffff", "ORDER#\uffff#z", "ORDER$", "ORDE", "😀#1", "😀#2", "😀", "é#\uffff", "é#\U0010ffff"),
    *(f"{LONG}##1", f"{LONG}####", f"{LONG}#\uffff#", f"{LONG}#aa#", f"{LONG}aaaaaa", LONG, "\U0010ffff" * 256),
)
LEVELS = st.sampled_from(
    [{"delimiter": "#"}, {"delimiter": "#", "depth": 2}, {"prefix_length": 1}, {"prefix_length": 3}, {}]
)
"""The last one: the groups are the item collections."""
BOUNDED = st.sampled_from(
    [
        *(
            {},
            {"prefix": "ORDER#"},
            {"prefix": "ORDER"},
            {"prefix": "😀"},
            {"prefix": f"{LONG}#"},
            {"prefix": "\U0010ffff"},
        ),
        *({"since": "ORDER#2"}, {"since": "é"}, {"until": "ORDER#2#x"}, {"until": "#"}, {"since": "ORDER#"}),
        *(
            {"between": ["#a", "ORDER#2#x"]},
            {"between": ["ORDER#2#y", "ORDER#2#y"]},
            {"between": ["ORDER#", "ORDER#1"]},
        ),
    ]
)
TAKEN: st.SearchStrategy[dict[str, Any] | None] = st.sampled_from(
    [
        *(None, {"first": "all"}, {"last": "all"}, {"first": ["v"], "last": ["v"]}),
        *({"items": "all"}, {"items": "all", "most": 1}, {"items": ["v"], "most": 2}),
        *({"items": "all", "order": "descending"}, {"items": "all", "most": 2, "order": "descending"}),
        *({"items": "all", "beyond": 1}, {"items": "all", "beyond": 2, "most": 1, "order": "descending"}),
        *({"count": {}}, {"count": {"up_to": 1}}, {"count": {"up_to": 2}}),
    ]
)
SOURCES: Mapping[str | None, tuple[str, str]] = {
    None: ("pk", "sk"),
    "local": ("pk", "local_sk"),
    "global": ("g", "gsk"),
}


def definition(kind: Any) -> TableDefinition:
    pk, g = KeyAttribute("pk", "S"), KeyAttribute("g", "S")
    return TableDefinition(
        "Generated",
        KeySchema((pk,), (KeyAttribute("sk", kind),)),
        (
            IndexDefinition("local", KeySchema((pk,), (KeyAttribute("local_sk", kind),)), "local"),
            IndexDefinition("global", KeySchema((g,), (KeyAttribute("gsk", kind),))),
        ),
    )


def loaded(seed: int, kind: str) -> FakeDynamoDB:
    """Return collections of some of the sort keys; in the indexes several items have the same one."""
    random = Random(seed)

    def value(content: str) -> dict[str, Any]:
        return {kind: content if kind == "S" else content.encode()}

    items: list[Item] = [
        {
            "pk": {"S": f"c{number}"},
            "sk": value(content),
            "local_sk": value(random.choice(TEXTS)),
            "g": {"S": f"{number % 3}"},
            "gsk": value(content),
            "v": {"B": bytes(random.choice([1, 3000]))},
        }
        for number in range(random.randint(0, 9))
        for content in random.sample(TEXTS, random.randint(1, len(TEXTS)))
    ]
    return FakeDynamoDB(definition(kind), items)


def content(value: AttributeValue) -> bytes:
    ((kind, held),) = value.items()
    return held.encode() if kind == "S" else bytes(held)


def is_inside(sort_key: AttributeValue, asked: Mapping[str, Any]) -> bool:
    held, (low, high) = content(sort_key), asked.get("between", (asked.get("since"), asked.get("until")))
    inside = held.startswith(asked.get("prefix", "").encode())
    return inside and (low is None or low.encode() <= held) and (high is None or held <= high.encode())


def prefix_of(sort_key: AttributeValue, asked: Mapping[str, Any]) -> bytes:
    """Return the prefix of a sort key as ListObjectsV2 has it: what comes behind the run's prefix is divided."""
    level = Level(asked.get("delimiter"), asked.get("depth", 1), asked.get("prefix_length"))
    ((kind, held),) = sort_key.items()
    begin = asked.get("prefix", "") if kind == "S" else asked.get("prefix", "").encode()
    rest = held[len(begin) :]
    if not rest:
        return content(sort_key)
    return content({kind: begin + level.prefix_of({kind: rest})[kind]})


Group = tuple[str, bytes]


def groups_among(items: Iterable[Item], names: tuple[str, str], asked: Mapping[str, Any]) -> dict[Group, list[Item]]:
    """Return the items of each group, of all items in their order. `names`: of partition key and sort key."""
    held: dict[Group, list[Item]] = defaultdict(list)
    partition, sort = names
    for item in items:
        if is_inside(item[sort], asked):
            rest = {name: value for name, value in item.items() if name != partition}
            prefix = prefix_of(item[sort], asked) if "delimiter" in asked or "prefix_length" in asked else b""
            held[item[partition]["S"], prefix].append(rest)
    return dict(held)


def as_lines(groups: Mapping[Group, list[Item]], take: Mapping[str, Any] | None, sort: str) -> list[str]:
    """Return what a run has to write; of items the sort keys."""
    if take is None:
        return sorted(map(repr, groups))
    lines: list[Any] = []
    for key, items in groups.items():
        if "count" in take:
            most = take["count"].get("up_to", len(items))
            lines.append((key, min(most, len(items)), len(items) > most))
        elif "items" in take:
            in_order = items[::-1] if "order" in take else items
            lines += [(key, content(item[sort])) for item in in_order[take.get("beyond", 0) :][: take.get("most")]]
        else:
            lines.append((key, {end: content(items[place][sort]) for end, place in ENDS.items() if end in take}))
    return sorted(map(repr, lines))


ENDS = {"first": 0, "last": -1}


def lines_of(outcome: ListedRun, sort: str) -> list[str]:
    """Return what a run wrote in the form of `as_lines`."""
    return sorted(map(repr, (_line(line, sort) for line in outcome.keys)))


def _group(key: Any) -> Group:
    """Return a group by its key: of an item collection the partition key, of another group its prefix, too."""
    return (key["S"], b"") if isinstance(key, Mapping) else (key[0]["S"], content(key[1]))


def _line(line: Any, sort: str) -> Any:
    if not isinstance(line, Taken):
        return _group(line)
    key = _group(line.key)
    if line.counted is not None:
        return key, line.counted.items, line.counted.more
    sort_keys = {member: content(item[sort]) for member, item in line.items.items() if item}
    return (key, sort_keys["item"]) if "item" in sort_keys else (key, sort_keys)


@given(
    *(st.integers(0, 10**6), st.sampled_from("SB"), st.sampled_from(list(SOURCES)), SPLITS, BOUNDS),
    *(LEVELS, BOUNDED, TAKEN, st.booleans()),
)
def test_every_group_once_with_what_is_taken_of_it(  # noqa: PLR0917 (what is drawn)
    seed: int,
    kind: str,
    index: str | None,
    split: tuple[int, int],
    bounds: Bounds,
    level: dict[str, Any],
    bounded: dict[str, Any],
    take: dict[str, Any] | None,
    pages: bool,
) -> None:
    """Also where pages are cut anywhere or empty, skips are ignored or not made, and batches end after any page."""
    fake, sort = loaded(seed, kind), SOURCES[index][1]
    held = [entry.item for entry in fake.table("Generated").views[index].entries]
    expected = as_lines(groups_among(held, SOURCES[index], {**level, **bounded}), take, sort)
    asked: dict[str, Any] = {"table": "Generated", "index": index, "segments": split[0], "workers": split[1]}
    if kind == "B":
        bounded = {name: as_base64(value) for name, value in bounded.items()}
    if pages:
        asked["strategy"] = "page"
    outcome = run(oddly(fake, seed), bounds, **asked, **level, **bounded, take=take)
    assert lines_of(outcome, sort) == expected
    assert outcome.counts.keys == len(expected)
    assert outcome.counts.ended == 0
    if take and "items" in take:
        lines_of_each = Counter(repr(line.key) for line in outcome.keys if isinstance(line, Taken))
        assert outcome.lengths == Counter(lines_of_each.values())


def as_base64(value: Any) -> Any:
    return [as_base64(each) for each in value] if isinstance(value, list) else b64encode(value.encode()).decode()
