"""What a run is going to do, decided once: every worker and Finish rest on it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from skipscan.errors import InputError, TableError
from skipscan.execution_input import ExecutionInput, Format, Optimize, Strategy
from skipscan.segments import choose
from skipscan.source import Kind, Source, find_index

WALKS = 16
"""Segments a worker walks at once: a Lambda that waits for one 5 ms request at a time is paid for waiting."""

CURSORS_BYTES = 96 * 1024
"""What the open cursors of a worker may take of the 256 KiB that state can hold."""


@dataclass(frozen=True)
class Plan:
    """The decisions of a run. `item_bytes`: the average item size DescribeTable knew of; 0 if it knew none."""

    source: Source
    strategy: Strategy
    segments: int
    workers: int
    consistent_read: bool
    optimize: Optimize
    format: Format
    item_bytes: float

    @property
    def skips(self) -> bool:
        return self.strategy is Strategy.SKIP

    @property
    def step_units(self) -> float:
        """The read units that 4 KB cost (developer guide, "Read consistency")."""
        return 1.0 if self.consistent_read else 0.5

    @property
    def walks(self) -> int:
        """How many segments one worker walks at once, so that its cursors fit into state whatever their keys are."""
        return min(WALKS, CURSORS_BYTES // (self.source.key_bytes * 3 // 2))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            **{
                **document,
                "source": Source.from_json(document["source"]),
                "strategy": Strategy(document["strategy"]),
                "optimize": Optimize(document["optimize"]),
                "format": Format(document["format"]),
            }
        )


def plan(asked: ExecutionInput, description: Mapping[str, Any]) -> Plan:
    """Return the plan for a table that DescribeTable describes so (its `Table` document).

    Raises `TableError` where the table or index is in no state to be scanned, `InputError` where the table shows
    that the input asks for something impossible.
    """
    _check_ready("table", asked.table, description.get("TableStatus"))
    source = Source.described(asked.table, description, asked.index)
    items, size_bytes = description.get("ItemCount", 0), description.get("TableSizeBytes", 0)
    if asked.index is not None:
        _, entry = find_index(description, asked.index)
        items, size_bytes = entry.get("ItemCount", 0), entry.get("IndexSizeBytes", 0)
        if source.kind is Kind.GLOBAL_INDEX:
            _check_ready("index", asked.index, entry.get("IndexStatus"))
    if asked.consistent_read and source.kind is Kind.GLOBAL_INDEX:
        raise InputError(
            f'consistent_read is true and index is "{asked.index}"; a global secondary index offers eventually '
            "consistent reads only: leave consistent_read out, or leave index out"
        )
    if asked.strategy is Strategy.SKIP and not source.can_skip:
        raise InputError(
            f'strategy is "skip"; {source.kind} "{asked.index or asked.table}" has no sort key to skip with: '
            'leave strategy out or say "page"'
        )
    strategy = asked.strategy
    if strategy is Strategy.AUTO:
        strategy = Strategy.SKIP if source.can_skip else Strategy.PAGE
    segments, workers = choose(asked.segments, asked.workers, size_bytes)
    return Plan(
        source=source,
        strategy=strategy,
        segments=segments,
        workers=workers,
        consistent_read=asked.consistent_read,
        optimize=asked.optimize,
        format=asked.format,
        item_bytes=size_bytes / items if items else 0.0,
    )


def _check_ready(what: str, name: str, status: str | None) -> None:
    """Refuse what is still being made or already going; a table that is being updated can be read."""
    if status not in {"ACTIVE", "UPDATING"}:
        raise TableError(
            f'{what} "{name}" is {status}; only an ACTIVE one can be scanned: wait until it is, then start again'
        )
