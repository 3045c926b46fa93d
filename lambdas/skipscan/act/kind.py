"""Acting on every key of a finished run, as a kind of work."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from skipscan.act.input import FIELDS, parse_action
from skipscan.act.item import ActCounts
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActPosition
from skipscan.inputs.field import without_nulls
from skipscan.loop.kind import Kind
from skipscan.loop.storage import Part


def failed_line(failed: tuple[bytes, str]) -> bytes:
    """Return the line of a failed key: the key as its run wrote it, and the code of the reason."""
    line, reason = failed
    return b'{"key": ' + line.rstrip(b"\n") + b', "reason": ' + json.dumps(reason).encode() + b"}\n"


class Act(Kind[ActPlan]):
    def part(self, plan: ActPlan) -> Part:
        return Part(failed_line)

    def units(self, plan: ActPlan) -> int:
        return plan.slices

    def required_count(self, plan: ActPlan) -> int:
        return plan.keys

    def expected(self, document: Mapping[str, Any]) -> float:
        return float(document["plan"]["keys"])

    def requested(self, plan: ActPlan) -> Iterator[tuple[str, str]]:
        """Yield what the job does to each key. Of a condition and of constants only names: the values are data."""
        yield "run", plan.run
        for name, content in plan.stated["action"].items():
            shown: dict[str, Any] = {"if": [*content["if"]]} if content.get("if") else {}
            for made in content.keys() & {"item", "key"}:
                shown[made] = {field: value if "{" in str(value) else "…" for field, value in content[made].items()}
            document = without_nulls({**content, **shown})
            yield "action", f"{name} {json.dumps(document, ensure_ascii=False)}"
        if plan.skips_ended:
            yield "ended item collections", "skipped"


ACT = Act(
    label="act",
    folder="acts",
    comment="Acts on every item collection that a finished run has listed",
    example={"table": "Orders", "run": "nightly-2026-01-31", "put_item": {"item": {"sk": "#static"}}},
    turn_state="Act",
    question="Keys left?",
    unit="slices",
    fields=FIELDS,
    parse=parse_action,
    plan_form=ActPlan,
    position_form=ActPosition,
    counts_form=ActCounts,
    named=("table", "run"),
)
