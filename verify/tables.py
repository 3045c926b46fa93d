"""The tables that checks need: how each is created, and what is put into it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.source import Item
from verify.values import ASCENDING

TYPES = ("S", "N", "B")
COLLECTION_ITEMS = (1, 2, 5, 9, 1, 13)
INDEX_COLLECTIONS = 5
ITEMS_OF_A_RUN = 12
"""In each of its item collections, which fill 4 KB together."""

KB = 1024
LARGE_ITEMS, LARGE_ITEM_BYTES = 4, 390 * KB
ON_DEMAND = {"BillingMode": "PAY_PER_REQUEST"}


@dataclass(frozen=True)
class MadeTable:
    """`asked`: of CreateTable, without the name. `items`: what lies in the table, by the number of keys of a run.

    `is_named`: its name is the same in every launch, so that an environment can name it in cdk.json. `is_kept`: a
    launch neither makes nor removes it, because a deployed environment follows its stream or writes what the stream
    says; `--prepare` makes it, and `--clean` removes it.
    """

    asked: Mapping[str, Any]
    items: Callable[[int], Iterable[Item]] = lambda keys: ()
    dollars: float = 0.0
    is_named: bool = False
    is_kept: bool = False


def keys(partition_key: str, sort_key: str | None = None) -> list[dict[str, str]]:
    """Return a KeySchema of one or two attributes."""
    schema = [{"AttributeName": partition_key, "KeyType": "HASH"}]
    return [*schema, {"AttributeName": sort_key, "KeyType": "RANGE"}] if sort_key else schema


def attributes(**types: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def index(name: str, schema: list[dict[str, str]], projection: str = "ALL", **others: Any) -> dict[str, Any]:
    return {"IndexName": name, "KeySchema": schema, "Projection": {"ProjectionType": projection, **others}}


def _every_kind(kind: str) -> dict[str, Any]:
    """Return a table with keys of one type, a local index, a global one, and a global one without a sort key."""
    units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
    is_provisioned = kind == "B"
    throughput = {"ProvisionedThroughput": units} if is_provisioned else {}
    indexes = [index("global", keys("g", "h")), index("no-sort-key", keys("g"))]
    return {
        "KeySchema": keys("p", "s"),
        "AttributeDefinitions": attributes(p=kind, s=kind, l=kind, g=kind, h=kind),
        "LocalSecondaryIndexes": [index("local", keys("p", "l"))],
        "GlobalSecondaryIndexes": [{**each, **throughput} for each in indexes],
        **({"BillingMode": "PROVISIONED", **throughput} if is_provisioned else ON_DEMAND),
    }


def items_of_every_kind(kind: str) -> list[Item]:
    """Return six item collections, some of which end at the greatest sort key; the global indexes lack some items."""
    partition_keys, sort_keys, greatest = ASCENDING[kind], ASCENDING[kind], MAXIMUM[kind]
    found: list[Item] = []
    for collection, size in enumerate(COLLECTION_ITEMS):
        partition_key = partition_keys[collection * 2]
        for n in range(size):
            item = {"p": partition_key, "s": sort_keys[n], "l": sort_keys[-1 - n]}
            if (n + collection) % 7 != 6:
                item["g"] = partition_keys[n % INDEX_COLLECTIONS]
                item["h"] = sort_keys[(n * 3 + collection) % len(sort_keys)]
            found.append(item)
        if collection % 3 == 0:
            found.append({"p": partition_key, "s": greatest, "l": greatest, "g": partition_keys[0], "h": greatest})
    return found


def _several(_: int) -> Iterator[Item]:
    texts = [{"S": "x"}, {"S": "y"}]
    combinations = ((a, b, c, d) for a in texts for b in texts for c in texts for d in texts)
    for number, (a, b, c, d) in enumerate(combinations):
        yield {"p": {"N": str(number)}, "a": a, "b": b, "c": c, "d": d}


def _run(count: int) -> Iterator[Item]:
    body = {"B": bytes(4 * KB // ITEMS_OF_A_RUN - 40)}
    for key in range(count):
        for number in range(ITEMS_OF_A_RUN):
            yield {"p": {"S": f"made-up-{key:05d}"}, "s": {"S": f"{number:02d}"}, "body": body}


def _few(_: int) -> Iterator[Item]:
    return _run(20)


def _billed(_: int) -> Iterator[Item]:
    """Return 40 items of exactly 1,000 bytes in one collection; an index projects 100 of them."""
    for number in range(40):
        yield {
            "p": {"S": "a" * 10},
            "s": {"S": f"{number:010d}"},
            "g": {"S": "g" * 10},
            "small": {"B": bytes(62)},
            "large": {"B": bytes(1000 - 1 - 10 - 1 - 10 - 1 - 10 - 5 - 62 - 5)},
        }


def _large(_: int) -> Iterator[Item]:
    for number in range(LARGE_ITEMS):
        yield {"p": {"S": "a"}, "s": {"N": str(number)}, "body": {"B": bytes(LARGE_ITEM_BYTES)}}


def _throttled(_: int) -> Iterator[Item]:
    for number in range(20):
        yield {"p": {"S": "a"}, "s": {"N": str(number)}, "body": {"B": bytes(4 * KB - 40)}}


def _plain(**others: Any) -> dict[str, Any]:
    return {
        "KeySchema": keys("p", "s"),
        "AttributeDefinitions": attributes(p="S", s="S"),
        **ON_DEMAND,
        **others,
    }


_NUMBERED: dict[str, Any] = _plain(AttributeDefinitions=attributes(p="S", s="N"))
_INCLUDED = {"NonKeyAttributes": ["small"]}
_STREAM = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}

TABLES: Mapping[str, MadeTable] = {
    **{
        f"keys-{kind}": MadeTable(
            _every_kind(kind),
            lambda _, kind=kind: items_of_every_kind(kind),  # type: ignore[misc]
            # 15 units of reading and 15 of writing for one hour, where capacity is provisioned.
            0.012 if kind == "B" else 0.0001,
        )
        for kind in TYPES
    },
    "several": MadeTable(
        {
            "KeySchema": keys("p"),
            "AttributeDefinitions": attributes(p="N", a="S", b="S", c="S", d="S"),
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": "several",
                    "KeySchema": [
                        {"AttributeName": name, "KeyType": role}
                        for name, role in (("a", "HASH"), ("b", "HASH"), ("c", "RANGE"), ("d", "RANGE"))
                    ],
                    "Projection": {"ProjectionType": "ALL"},
                }
            ],
            **ON_DEMAND,
        },
        _several,
        0.0001,
    ),
    "billed": MadeTable(
        {
            "KeySchema": keys("p", "s"),
            "AttributeDefinitions": attributes(p="S", s="S", g="S"),
            "GlobalSecondaryIndexes": [index("small", keys("g"), "INCLUDE", **_INCLUDED)],
            **ON_DEMAND,
        },
        _billed,
        0.0001,
    ),
    "large": MadeTable(_NUMBERED, _large, 0.001),
    "written": MadeTable(
        {
            "KeySchema": keys("p", "s"),
            "AttributeDefinitions": attributes(p="S", s="S", g="S", h="N"),
            "LocalSecondaryIndexes": [index("local", keys("p", "g"), "KEYS_ONLY")],
            "GlobalSecondaryIndexes": [
                index("all", keys("g", "h")),
                index("included", keys("h"), "INCLUDE", **_INCLUDED),
            ],
            **ON_DEMAND,
        }
    ),
    "streamed": MadeTable(
        _plain(
            AttributeDefinitions=attributes(p="B", s="N"),
            StreamSpecification=_STREAM,
        )
    ),
    "mapped": MadeTable(_plain(StreamSpecification=_STREAM)),
    "throttled": MadeTable({**_NUMBERED, "OnDemandThroughput": {"MaxReadRequestUnits": 1}}, _throttled, 0.0002),
    "starved": MadeTable(
        {
            **{name: asked for name, asked in _NUMBERED.items() if name != "BillingMode"},
            "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 10},
        },
        _throttled,
        0.007,
    ),
    "run": MadeTable(_plain(), _run, 0.016),
    "refused": MadeTable(_plain(), _few, 0.0002),
    "jobs": MadeTable(_plain(), _few, 0.0002, is_named=True),
    "copied": MadeTable(_plain(StreamSpecification=_STREAM), _few, 0.0002, is_named=True, is_kept=True),
    "copy": MadeTable(_plain(), is_named=True, is_kept=True),
}
"""By the name that checks know them by; in the account each name has the kit's prefix."""
