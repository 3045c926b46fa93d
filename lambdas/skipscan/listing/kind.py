"""The listing of distinct partition keys, as a kind of work."""

from collections.abc import Iterator, Mapping
from typing import Any

from skipscan.lines.formats import format_of, header, line_encoder
from skipscan.listing.execution_input import FIELDS, parse
from skipscan.listing.scope import Scope
from skipscan.loop.kind import Kind, States
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanProgress


def expected_keys(document: Mapping[str, Any]) -> float | None:
    """Return the plan's estimate of what the run's lines are; `None` unless it took a sample that bounded it."""
    explanation = document.get("explanation")
    expected = explanation and explanation["choice"]["expected"]
    if not expected or expected["keys"].get("high", 0) is None:
        return None  # far below, as a rule: of a heavy tail the sample saw its smallest part
    return float(expected["keys"]["estimate"])


def requested_of_run(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield which part of the keys a run lists, and what it takes of them; nothing of all keys."""
    source = plan.source
    if source.index:
        yield "index", source.index
    if source.level:
        yield "level", str(source.level)
    if plan.sort_range:
        yield "range", plan.sort_range.words
    if plan.take.members:
        yield "taken of each", str(plan.take)


def how(plan: Plan) -> Iterator[tuple[str, str]]:
    yield "partition key", ", ".join(f"{one.name} ({one.type})" for one in plan.source.partition_key)
    yield "strategy", f"{plan.strategy}, optimize: {plan.optimize}"
    yield "reads", f"{'strongly' if plan.consistent_read else 'eventually'} consistent"
    yield "format", plan.format


LISTING = Kind(
    label="run",
    machine="listing",
    folder="runs",
    lines="keys",
    comment="Lists the distinct partition keys of a DynamoDB table or index",
    example={"table": "Orders"},
    states=States("Plan", "Scan", "Segments left?", "Finish", "Report"),
    unit="segments",
    fields=FIELDS,
    parse=parse,
    plan_form=Plan,
    start=ScanProgress.start,
    progress_form=ScanProgress,
    encoder=lambda plan: line_encoder(plan.source, plan.format, plan.take),
    header=lambda plan: header(plan.source, plan.format, plan.take),
    suffix=lambda plan: format_of(plan.format).suffix,
    units=lambda plan: plan.segments,
    labels=lambda plan: Scope.of(plan).labels,
    expected=expected_keys,
    named=("table",),
    requested=requested_of_run,
    how=how,
    lists_keys=True,
)
