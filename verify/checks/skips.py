"""The skip: a start key with the greatest sort key, which no item needs to have."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from botocore.exceptions import ClientError

from skipscan.dynamodb.attribute_value import MAXIMUM, AttributeValue
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.scan.cursor import Cursor
from skipscan.scan.groups import Groups
from skipscan.scan.walk import Walk
from verify.check import check, hold
from verify.checks.reading import API, GUIDE, items, scan, units
from verify.kit import Kit
from verify.tables import TYPES
from verify.values import ASCENDING

KEYS = tuple(f"keys-{kind}" for kind in TYPES)
SCAN = f"{API}/API_Scan.html"
LOST = "Keys are lost or repeated, or every collection is read whole."


def walked(kit: Kit, table: str, index: str | None, bounds: Sequence[AttributeValue] = ()) -> str:
    """Return how a walk with Limit=1 went; raise `NotHeldError` unless it found each key once by skipping.

    `bounds`: the least and the greatest sort key of a range to which the walk skips in each collection; default: none.
    """
    source = Source.described(kit.table(table), kit.describe(table), index)
    key_of, sort_key = source.partition_key_of(), source.sort_key[0].name
    sort_range = SortRange(sort_key, since=bounds[0], until=bounds[1]) if bounds else None
    groups, seen_items = Groups(source, sort_range), list(items(kit, table, index))
    listed = [item for item in seen_items if sort_range is None or sort_range.side(item[sort_key]) == 0]
    expected = {repr(key_of(item)) for item in listed}
    walk = Walk(groups, Cursor(0, None, False, True))
    found: list[PartitionKey] = []
    pages, most_pages = 0, 4 * len({repr(key_of(item)) for item in seen_items}) + 4
    while not walk.finished and pages < most_pages:
        start = {"ExclusiveStartKey": walk.start_key} if walk.start_key else {}
        page = scan(kit, table, index, Limit=1, **start)
        pages += 1
        found += groups.listed(walk.receive(Page(page["Items"], page.get("LastEvaluatedKey"), units(page))).keys)
    seen = f"{table}: {len(found)} keys found of {len(expected)} in {pages} pages"
    hold(not walk.skip_ignored, f"{seen}; a page began in the collection that was skipped")
    hold(sorted(map(repr, found)) == sorted(expected), seen)
    return seen


def walked_all(kit: Kit, index: str | None) -> str:
    return "; ".join(walked(kit, table, index) for table in KEYS)


@check(
    "skip-table",
    "A start key with the last partition key and the greatest sort key (S, N or B) begins the next item collection of "
    "a table.",
    source=SCAN,
    breaks=LOST,
    tables=KEYS,
)
def skip_on_a_table(kit: Kit) -> str:
    return walked_all(kit, None)


@check(
    "skip-local-index",
    "The same holds on a local index with both sort keys at the maximum.",
    source=f"{GUIDE}/LSI.html",
    breaks=LOST,
    tables=KEYS,
)
def skip_on_a_local_index(kit: Kit) -> str:
    return walked_all(kit, "local")


@check(
    "skip-global-index",
    "The same holds on a global index with its sort key at the maximum and the table's keys unchanged.",
    source=f"{GUIDE}/GSI.html",
    breaks=LOST,
    tables=KEYS,
)
def skip_on_a_global_index(kit: Kit) -> str:
    return walked_all(kit, "global")


@check(
    "skip-several-attributes",
    "The same holds on a global index of several attributes: LastEvaluatedKey has all of them, and all sort keys are "
    "set to the greatest.",
    source=f"{GUIDE}/GSI.DesignPattern.MultiAttributeKeys.html",
    breaks=LOST,
    tables=("several",),
)
def skip_on_several_attributes(kit: Kit) -> str:
    key = scan(kit, "several", "several", Limit=1)["LastEvaluatedKey"]
    hold(key.keys() == set("pabcd"), f"LastEvaluatedKey has the attributes {', '.join(sorted(key))}")
    return walked(kit, "several", "several")


@check(
    "skip-inside",
    "A start key with a sort key inside an item collection, which no item needs to have, begins at the next item of "
    "the collection: on a table, a local and a global index.",
    source=SCAN,
    breaks="A run with a range or a level loses keys, or reads every collection whole.",
    tables=KEYS,
)
def skip_inside_a_collection(kit: Kit) -> str:
    seen = []
    for kind in TYPES:
        for index in (None, "local", "global"):
            seen.append(walked(kit, f"keys-{kind}", index, (ASCENDING[kind][3], ASCENDING[kind][6])))
    return "; ".join(seen)


@check(
    "pages-without-sort-key",
    "A global index without a sort key gives all items of a key in one piece, page by page.",
    source=f"{GUIDE}/GSI.html",
    breaks="A listing of such an index holds keys twice.",
    tables=KEYS,
)
def pages_without_sort_key(kit: Kit) -> str:
    for table in KEYS:
        keys = [repr(item["g"]) for item in items(kit, table, "no-sort-key", Limit=2)]
        pieces = 1 + sum(one != other for one, other in pairwise(keys))
        hold(pieces == len(set(keys)), f"{table}: {len(set(keys))} keys in {pieces} pieces")
    return "each key in one piece"


@check(
    "longest-keys",
    "A sort key has up to 1,024 bytes and a partition key up to 2,048; longer ones are refused, so nothing sorts after "
    "the greatest values.",
    source=f"{GUIDE}/ServiceQuotas.html",
    breaks="A key that sorts after the maximum is met by a skip, which then never passes it.",
    tables=("keys-S", "keys-N", "keys-B"),
)
def longest_keys(kit: Kit) -> str:
    longest = {"S": "a" * 2048, "N": MAXIMUM["N"]["N"], "B": bytes(2048)}
    too_long = {"S": MAXIMUM["S"]["S"] + "a", "N": "1E+126", "B": MAXIMUM["B"]["B"] + b"\0"}
    for kind in TYPES:
        table, other = kit.table(f"keys-{kind}"), {"l": MAXIMUM[kind]}
        key = {"p": {kind: longest[kind]}, "s": MAXIMUM[kind]}
        kit.dynamodb.put_item(TableName=table, Item={**key, **other})
        kit.dynamodb.delete_item(TableName=table, Key=key)
        longer = {**key, **other, "s": {kind: too_long[kind]}}
        code = refusal(kit.dynamodb.put_item, TableName=table, Item=longer)
        if not code:  # other checks rest on what the table holds
            kit.dynamodb.delete_item(TableName=table, Key={"p": longer["p"], "s": longer["s"]})
        hold(code == "ValidationException", f"a sort key ({kind}) beyond the maximum: {code or 'it was put'}")
    return "the longest are taken, longer ones refused"


@check(
    "foreign-segment",
    "DynamoDB refuses a start key of another segment with ValidationException.",
    source=SCAN,
    breaks="A cursor that was mixed up reads another segment's keys, and nobody notices.",
    tables=("keys-S",),
)
def foreign_segment(kit: Kit) -> str:
    for index in (None, "local", "global"):
        key = scan(kit, "keys-S", index, Limit=1)["LastEvaluatedKey"]
        codes = [
            refusal(scan, kit, "keys-S", index, ExclusiveStartKey=key, Segment=segment, TotalSegments=4)
            for segment in range(4)
        ]
        seen = f"{index or 'table'}: {', '.join(code or 'taken' for code in codes)}"
        hold(sorted(codes) == sorted(["", *["ValidationException"] * 3]), seen)
    return "refused by three of four segments, on table, local and global index"


def refusal(call: Callable[..., object], *arguments: object, **asked: object) -> str:
    """Return the code of the error that a call is refused with; an empty one if it is not."""
    try:
        call(*arguments, **asked)
    except ClientError as error:
        return str(error.response["Error"]["Code"])
    return ""
