"""Setting attributes on every item of a table, as a kind of work."""

from collections.abc import Mapping
from typing import Any

from skipscan.items.kind import ItemKind
from skipscan.items.progress import ItemPosition
from skipscan.retrofit.input import FIELDS, parse_retrofit
from skipscan.retrofit.item import RetrofitCounts
from skipscan.retrofit.plan import RetrofitPlan


class Retrofit(ItemKind[RetrofitPlan]):
    def proved(self, manifest: Mapping[str, Any]) -> dict[str, str]:
        """Return how the entries of the counted indexes compare with the items that have their keys.

        `indexed` is the sum over all counted indexes.
        """
        indexes, items = manifest.get("indexes") or {}, manifest["indexed"]
        said = {f"index {name}": _entries(index, items, is_only=len(indexes) == 1) for name, index in indexes.items()}
        entries = [index["entries"] for index in indexes.values()]
        if len(indexes) > 1:
            all_ = "not all were counted to their end" if None in entries else f"{sum(entries):,} of {items:,} entries"
            said["all indexes"] = all_
        return said


def _entries(index: Mapping[str, Any], items: int, *, is_only: bool) -> str:
    if index["entries"] is None:
        have = f"; {items:,} items have its keys" if is_only else ""
        return f"not counted to its end ({index['stopped_by']}){have}"
    return f"{index['entries']:,} of {items:,} items" if is_only else f"{index['entries']:,} entries"


RETROFIT = Retrofit(
    label="retrofit",
    folder="retrofits",
    comment="Sets attributes made of others on every item of a DynamoDB table",
    example={"table": "Audit", "set": {"resource-action": "{resourceId}-{action}"}},
    turn_state="Retrofit",
    question="Items left?",
    fields=FIELDS,
    parse=parse_retrofit,
    plan_form=RetrofitPlan,
    counts_form=RetrofitCounts,
    named=("table", "indexes"),
    unit="walks",
    position_form=ItemPosition,
    default_count="items",
)
