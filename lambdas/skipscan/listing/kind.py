"""The listing of distinct partition keys, as a kind of work."""

from collections.abc import Iterator, Mapping
from typing import Any

from skipscan.inputs.quantities import counted
from skipscan.lines.formats import format_of, header, line_encoder
from skipscan.listing.execution_input import parse
from skipscan.listing.fields import FIELDS
from skipscan.listing.scope import Scope
from skipscan.loop.kind import Kind
from skipscan.loop.storage import Part
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts, ScanPosition, ScanProgress, first_progress


class Listing(Kind[Plan]):
    def part(self, plan: Plan) -> Part:
        how = plan.source, plan.format, plan.take
        return Part(line_encoder(*how), header(*how))

    def suffix(self, plan: Plan) -> str:
        return format_of(plan.format).suffix

    def units(self, plan: Plan) -> int:
        return plan.segments

    def start(self, plan: Plan, worker: int) -> ScanProgress:
        return first_progress(plan, worker)

    def headline_labels(self, plan: Plan) -> str:
        return Scope.of(plan).labels

    def expected(self, document: Mapping[str, Any]) -> float | None:
        """Return the plan's estimate of what the run's lines are; `None` unless it took a sample that bounded it."""
        explanation = document.get("explanation")
        expected = explanation and explanation["choice"]["expected"]
        if not expected or expected["keys"].get("high", 0) is None:
            return None  # far below, as a rule: of a heavy tail the sample saw its smallest part
        return float(expected["keys"]["estimate"])

    def requested(self, plan: Plan) -> Iterator[tuple[str, str]]:
        """Yield which part of the keys a run lists, and what it takes of them; nothing of all keys."""
        source = plan.source
        if source.index:
            yield "index", source.index
        if source.level:
            yield "level", str(source.level)
        if plan.sort_range:
            yield "range", plan.sort_range.words
        if plan.only:
            yield "only", counted(plan.only.keys, "given key")
        if plan.take.members:
            yield "taken of each", str(plan.take)

    def how(self, plan: Plan) -> Iterator[tuple[str, str]]:
        yield "partition key", ", ".join(f"{one.name} ({one.type})" for one in plan.source.partition_key)
        yield "strategy", f"{plan.strategy}, optimize: {plan.optimize}"
        yield "reads", f"{'strongly' if plan.consistent_read else 'eventually'} consistent"
        yield "format", plan.format


LISTING = Listing(
    label="run",
    folder="runs",
    comment="Lists the distinct partition keys of a DynamoDB table or index",
    example={"table": "Orders"},
    turn_state="Scan",
    question="Segments left?",
    unit="segments",
    fields=FIELDS,
    parse=parse,
    plan_form=Plan,
    position_form=ScanPosition,
    counts_form=ScanCounts,
    named=("table",),
    lists_keys=True,
)
