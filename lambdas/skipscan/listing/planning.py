"""What a run is going to do, decided once from its input and the table's description."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil

from skipscan.dynamodb.capacity import gentle_read_rate
from skipscan.dynamodb.prices import US_EAST_1, Prices
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import Kind, TableDescription
from skipscan.dynamodb.units import ITEM_STEPS, STEP_BYTES
from skipscan.errors import InputError, TableError
from skipscan.listing.execution_input import ExecutionInput
from skipscan.pace.rate import most_workers
from skipscan.scan.plan import Plan, Strategy
from skipscan.scan.segments import choose

OVERRUN = 0.05
"""The part of a budget that all workers together may exceed it by: as many have a page each."""


MOST_ITEM_BYTES = ITEM_STEPS * STEP_BYTES
"""Of an item (developer guide, "Constraints"); what DescribeTable says may be of two moments, and its mean be more."""


def plan(
    asked: ExecutionInput, description: TableDescription, prices: Callable[[], Prices] = lambda: US_EAST_1
) -> Plan:
    """Return the plan for a table that is described so.

    Raises `TableError` where the table or index is in no state to be scanned, `InputError` where the table shows
    that the input asks for something impossible. `prices`: of the table's region and class, if they are needed.
    """
    _check_ready("table", asked.table, description.status)
    source = Source.described(asked.table, description, asked.index)
    index = None if asked.index is None else description.index(asked.index)
    measured = index or description
    if index is not None and index.kind is Kind.GLOBAL_INDEX:
        _check_ready("index", index.name, index.status)
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
    rate = asked.max_read_units_per_second or gentle_read_rate(description, index)
    segments, workers = choose(asked.segments, asked.workers, measured.size_bytes, rate)
    decided = Plan(
        source=source,
        identity=description.identity,
        strategy=strategy,
        segments=segments,
        workers=workers,
        consistent_read=asked.consistent_read,
        optimize=asked.optimize,
        format=asked.format,
        item_bytes=min(measured.size_bytes / measured.items, MOST_ITEM_BYTES) if measured.items else 0.0,
        max_read_units_per_second=rate,
        max_read_units=_budget(asked, prices),
    )
    _check_budget(asked, decided)
    return replace(decided, workers=held(decided, workers))


def _check_budget(asked: ExecutionInput, plan: Plan) -> None:
    """Refuse a budget that does not suffice for a page of one average item."""
    least = plan.step_units * max(1, ceil(plan.item_bytes / STEP_BYTES))
    budget = plan.max_read_units
    if budget is None or budget >= least:
        return
    if asked.max_read_units == budget:
        said, wanted = f"max_read_units is {budget:g}", f"{least:g}"
    else:
        wanted = f"{ceil((asked.max_dollars or 0.0) * least / budget * 1e6) / 1e6:g}"
        said = f"max_dollars is {asked.max_dollars:g}, which buys {budget:,.1f} read units"
    raise InputError(
        f'{said}; a page of one item takes about {least:g} in table "{asked.table}" (DescribeTable: items have '
        f"{plan.item_bytes:,.0f} bytes on average): raise it to at least {wanted}, or leave it out"
    )


def held(plan: Plan, workers: int) -> int:
    """Return as many of the workers as hold the plan's rate and budget together, each with a page under way.

    All together may exceed the rate of ten seconds by 5 % and a page, and the budget by 5 %; one worker always may.
    """
    bounds = [workers]
    if plan.max_read_units_per_second:
        bounds.append(most_workers(plan.max_read_units_per_second, plan.page_units))
    if plan.max_read_units is not None:
        bounds.append(int(OVERRUN * plan.max_read_units / plan.page_units))
    return max(1, min(bounds))


def resumed(
    begun: Plan,
    asked: ExecutionInput,
    description: TableDescription,
    prices: Callable[[], Prices] = lambda: US_EAST_1,
) -> Plan:
    """Return the plan with which a run goes on: as it was planned, at the rate and the budget that are asked for now.

    Raises `TableError` if the table's keys are others than those the run began with.
    """
    _check_ready("table", asked.table, description.status)
    index = begun.source.index
    if Source.described(begun.source.table, description, index) != begun.source:
        raise TableError(
            f'table "{asked.table}" has other keys than when the run began: start a new run without resume'
        )
    read = None if index is None else description.index(index)
    again = replace(
        begun,
        max_read_units_per_second=asked.max_read_units_per_second or gentle_read_rate(description, read),
        max_read_units=_budget(asked, prices),
    )
    _check_budget(asked, again)
    return again


def _budget(asked: ExecutionInput, prices: Callable[[], Prices]) -> float | None:
    """Return the read units that may be consumed: the fewer of those asked for and those the dollars buy."""
    bounds = [asked.max_read_units, asked.max_dollars and asked.max_dollars / prices().read_units.of(1)]
    return min((bound for bound in bounds if bound is not None), default=None)


def _check_ready(what: str, name: str, status: str | None) -> None:
    """Refuse what is still being made or already going; a table that is being updated can be read."""
    if status not in {"ACTIVE", "UPDATING"}:
        raise TableError(
            f'{what} "{name}" is {status}; only an ACTIVE one can be scanned: wait until it is, then start again'
        )
