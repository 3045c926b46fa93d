"""The parts of a kind that retrofit and copy share."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from skipscan.dynamodb.attribute_value import to_json
from skipscan.inputs.quantities import enumerated
from skipscan.items.plan import ItemPlan
from skipscan.items.progress import ItemResult
from skipscan.loop.kind import AnyProgress, Kind
from skipscan.loop.storage import Part

P = TypeVar("P", bound=ItemPlan)


def listed_line(result: ItemResult) -> bytes:
    """Return the line about an item: {"key": {"id": {"S": "…"}}, "problem": "lacking", "reason": "…"}."""
    document = {
        "key": {name: to_json(value) for name, value in result.key.items()},
        "problem": result.outcome,
        "reason": result.reason,
    }
    return json.dumps(document).encode() + b"\n"


class ItemKind(Kind[P]):
    """A kind whose workers walk over items."""

    def part(self, plan: P) -> Part:
        return Part(listed_line)

    def units(self, plan: P) -> int:
        return plan.passes * plan.reading.segments

    def stated(self, plan: P, reached: Sequence[AnyProgress]) -> dict[str, Any]:
        # A worker has the same segment numbers in every pass, and in both tables of a copy.
        return {
            "segments": plan.reading.segments,
            "by_worker": [
                {"worker": progress.worker, "segments": plan.segments_of(progress.worker), **vars(progress.counts)}
                for progress in reached
            ],
        }

    def requested(self, plan: P) -> Iterator[tuple[str, str]]:
        """Yield what the job does to each item. Of constants only names: the values are data."""
        stated = plan.stated
        if "to" in stated:
            yield "new table", stated["to"]
        for name, template in stated["set"].items():
            text = template if isinstance(template, str) else json.dumps(template, ensure_ascii=False)
            yield f"attribute {name}", text
        if stated.get("remove"):
            yield "removed attributes", enumerated(stated["remove"])
        if stated["set"]:
            yield "separator in a source", str(stated["separator"])
        yield "final verification", "yes" if stated["verify"] else "no"
        if stated.get("compare_only"):
            yield "comparison only", "yes"
