"""Acting on every key of a finished run, as a kind of work."""

import json
from collections.abc import Iterator
from typing import Any

from skipscan.act.input import FIELDS, parse_action
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActProgress
from skipscan.loop.kind import FAILED, Kind, States


def failed_line(failed: tuple[bytes, str]) -> bytes:
    """Return the line of a failed key: the key as its run wrote it, and the code of the reason."""
    line, reason = failed
    return b'{"key": ' + line.rstrip(b"\n") + b', "reason": ' + json.dumps(reason).encode() + b"}\n"


def requested_of_act(plan: ActPlan) -> Iterator[tuple[str, str]]:
    """Yield what the job does to each key. Of a condition and of constants only names: the values are data."""
    yield "run", plan.run
    for name, content in plan.stated["action"].items():
        shown: dict[str, Any] = {"if": [*content["if"]]} if content.get("if") else {}
        for made in content.keys() & {"item", "key"}:
            shown[made] = {field: value if "{" in str(value) else "…" for field, value in content[made].items()}
        document = {field: value for field, value in {**content, **shown}.items() if value is not None}
        yield "action", f"{name} {json.dumps(document, ensure_ascii=False)}"
    if plan.skips_ended:
        yield "ended item collections", "skipped"


ACT = Kind(
    label="act",
    machine="act",
    folder="acts",
    lines=FAILED,
    comment="Acts on every item collection that a finished run has listed",
    example={"table": "Orders", "run": "nightly-2026-01-31", "put_item": {"item": {"sk": "#static"}}},
    states=States("Plan act", "Act", "Keys left?", "Finish act", "Report act"),
    unit="slices",
    fields=FIELDS,
    parse=parse_action,
    plan_form=ActPlan,
    start=lambda plan, worker: ActProgress(worker),
    progress_form=ActProgress,
    encoder=lambda plan: failed_line,
    units=lambda plan: plan.slices,
    required_count=lambda plan: plan.keys,
    expected=lambda document: float(document["plan"]["keys"]),
    named=("table", "run"),
    requested=requested_of_act,
)
