"""The order of a scan, within and between segments."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

from skipscan.dynamodb.source import Item
from verify.check import check, hold
from verify.checks.reading import GUIDE, items, scan
from verify.checks.skips import KEYS, SCAN
from verify.kit import Kit
from verify.values import orderable

SORTED = {None: ("p", ("s",)), "local": ("p", ("l", "s")), "global": ("g", ("h",))}
"""By index, the partition key and the sort keys by which items ascend."""


@check(
    "order-within-collections",
    "Each item collection is in one piece, and its items ascend by sort key: strings by their UTF-8 bytes, binary "
    "unsigned, numbers by value; on table, local and global index.",
    source=f"{GUIDE}/HowItWorks.NamingRulesDataTypes.html",
    breaks="A skip passes items it should have found.",
    tables=KEYS,
)
def order_within_collections(kit: Kit) -> str:
    for table in KEYS:
        for index, (partition_key, sort_keys) in SORTED.items():
            found = list(items(kit, table, index, Limit=3))
            groups = [list(group) for _, group in groupby(found, lambda item: repr(item[partition_key]))]  # noqa: B023
            where = f"{table}, {index or 'table'}"
            hold(len(groups) == len({repr(item[partition_key]) for item in found}), f"{where}: a collection in pieces")
            for group in groups:
                keys = [[orderable(item[name]) for name in sort_keys] for item in group]
                hold(all(one <= other for one, other in pairwise(keys)), f"{where}: items do not ascend")
    return f"{len(KEYS) * len(SORTED)} scans in order"


@check(
    "order-of-segments",
    "Segments are consecutive ranges of the scan without segments: together they hold every item once, and no item "
    "collection is in two.",
    source=SCAN,
    breaks="Keys are lost or listed twice, and estimates from some segments are biased.",
    tables=KEYS,
)
def order_of_segments(kit: Kit) -> str:
    for table in KEYS:
        for index in SORTED:
            whole = list(items(kit, table, index))
            for total in (2, 7):
                parts = [list(items(kit, table, index, Segment=n, TotalSegments=total)) for n in range(total)]
                where = f"{table}, {index or 'table'}, {total} segments"
                hold(_flat(parts) == whole, f"{where}: not the order of the whole scan")
                name = SORTED[index][0]
                keys = [{repr(item[name]) for item in part} for part in parts]
                hold(sum(map(len, keys)) == len(set().union(*keys)), f"{where}: a collection lies in two")
    return "2 and 7 segments hold what one scan holds, in its order"


def _flat(parts: Sequence[Sequence[Item]]) -> list[Any]:
    return [item for part in parts for item in part]


@check(
    "million-segments",
    "TotalSegments may be 1,000,000, and most of these segments are empty.",
    source=SCAN,
    breaks="Large tables cannot be split as planned, and samples are taken of too large pieces.",
    tables=("keys-S",),
)
def million_segments(kit: Kit) -> str:
    pages = [scan(kit, "keys-S", Segment=n, TotalSegments=1_000_000) for n in (0, 500_000, 999_999)]
    hold(all("LastEvaluatedKey" not in page for page in pages), "an empty segment goes on")
    return f"{sum(page['Count'] for page in pages)} items in three of them"
