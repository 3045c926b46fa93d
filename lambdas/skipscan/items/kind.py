"""The parts of a kind that retrofit and copy share."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from skipscan.dynamodb.attribute_value import to_json
from skipscan.inputs.fields import Fields
from skipscan.inputs.quantities import enumerated
from skipscan.items.plan import ItemPlan
from skipscan.items.progress import ItemProgress, ItemResult
from skipscan.loop.kind import FAILED, Kind, States

P = TypeVar("P", bound=ItemPlan)
G = TypeVar("G", bound=ItemProgress)


def listed_line(result: ItemResult) -> bytes:
    """Return the line about an item: {"key": {"id": {"S": "…"}}, "problem": "lacking", "reason": "…"}."""
    document = {
        "key": {name: to_json(value) for name, value in result.key.items()},
        "problem": result.outcome,
        "reason": result.reason,
    }
    return json.dumps(document).encode() + b"\n"


def item_kind(
    label: str,
    folder: str,
    comment: str,
    states: States,
    *,
    example: Mapping[str, Any],
    fields: Fields,
    parse: Callable[[object], Any],
    plan_form: type[P],
    progress_form: type[G],
    named: Sequence[str],
    counted: Callable[[P], str | None] = lambda plan: None,
    proved: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda manifest: {},
) -> Kind[P, G]:
    """Return a kind whose workers walk over items and count them in this way."""
    return Kind(
        label=label,
        machine=label,
        folder=folder,
        lines=FAILED,
        comment=comment,
        example=example,
        states=states,
        unit="walks",
        fields=fields,
        parse=parse,
        plan_form=plan_form,
        start=lambda plan, worker: progress_form(worker),
        progress_form=progress_form,
        encoder=lambda plan: listed_line,
        units=lambda plan: plan.passes * plan.reading.segments,
        stated=_by_worker,
        default_count="items",
        counted=counted,
        named=named,
        proved=proved,
        requested=_parameters,
    )


def _parameters(plan: ItemPlan) -> Iterator[tuple[str, str]]:
    """Yield what the job does to each item. Of constants only names: the values are data."""
    stated = plan.stated
    if "to" in stated:
        yield "new table", stated["to"]
    for name, template in stated["set"].items():
        yield f"attribute {name}", template if isinstance(template, str) else json.dumps(template, ensure_ascii=False)
    if stated.get("remove"):
        yield "removed attributes", enumerated(stated["remove"])
    if stated["set"]:
        yield "separator in a source", str(stated["separator"])
    yield "final verification", "yes" if stated["verify"] else "no"
    if stated.get("compare_only"):
        yield "comparison only", "yes"


def _by_worker(plan: ItemPlan, reached: Sequence[ItemProgress]) -> dict[str, Any]:
    # A worker has the same segment numbers in every pass, and in both tables of a copy.
    return {
        "segments": plan.reading.segments,
        "by_worker": [
            {"worker": progress.worker, "segments": plan.segments_of(progress.worker), **vars(progress.counts)}
            for progress in reached
        ],
    }
