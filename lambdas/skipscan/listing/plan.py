"""The plan of a run, made once from its input and the table's description."""

from dataclasses import replace
from math import ceil

from skipscan.dynamodb.capacity import gentle_read_rate
from skipscan.dynamodb.page import ITEM_STEPS, STEP_BYTES
from skipscan.dynamodb.prices import US_EAST_1, Prices
from skipscan.dynamodb.sort_range import SortRange, sort_key_value
from skipscan.dynamodb.source import PREFIX, TYPES, Source
from skipscan.dynamodb.table_description import IndexDescription, SourceKind, TableDescription
from skipscan.errors import OMITTED, InputError, TableError, leave_out, named
from skipscan.inputs.names import quoted
from skipscan.listing.execution_input import ExecutionInput
from skipscan.listing.fields import RANGE
from skipscan.pace.bill import Amounts, amounts
from skipscan.scan.plan import NEAR_WALKS, Only, Plan, Strategy, choose
from skipscan.scan.take import ALL, LEAD_OF, ORDER, Take
from skipscan.scan.taken import FIRST, LAST

MOST_ITEM_BYTES = ITEM_STEPS * STEP_BYTES
"""Of an item (developer guide, "Constraints"); what DescribeTable says may be of two moments, and its mean be more."""


def plan_listing(
    listing_input: ExecutionInput,
    description: TableDescription,
    prices: Prices = US_EAST_1,
    *,
    walks: int = NEAR_WALKS,
    only: Only | None = None,
) -> Plan:
    """Return the plan for the described table.

    Raises `TableError` for a table or index that cannot be scanned in its state, `InputError` for an input that the
    table makes impossible. `prices`: of the table's region and class. `only`: the keys, if the input names some.
    """
    check_ready("table", listing_input.table, description.status)
    source = Source.described(listing_input.table, description, listing_input.index, listing_input.level)
    index = None if listing_input.index is None else description.index(listing_input.index)
    measured = index or description
    _check_index_ready(index)
    _check_reads(listing_input, source)
    if listing_input.level is not None:
        _check_level(listing_input, source)
    _check_take(listing_input.take, source, description, index)
    sort_range = _range(listing_input, source)
    strategy = _strategy(listing_input, source, reads_all=sort_range is None and listing_input.take.is_of_all)
    rate = listing_input.max_read_units_per_second or gentle_read_rate(description, index)
    segments, workers = choose(
        only.keys if only else listing_input.segments, listing_input.workers, measured.size_bytes, rate, walks
    )
    decided = Plan(
        source=source,
        identity=description.identity,
        strategy=strategy,
        segments=segments,
        workers=workers,
        consistent_read=listing_input.consistent_read,
        optimize=listing_input.optimize,
        format=listing_input.format,
        item_bytes=min(measured.size_bytes / measured.items, MOST_ITEM_BYTES) if measured.items else 0.0,
        max_read_units_per_second=rate,
        max_read_units=listing_input.max_read_units,
        max_dollars=listing_input.max_dollars,
        prices=prices.provisioned(reads=not is_on_demand(description, index), writes=False),
        batch_seconds=None,
        take=listing_input.take,
        sort_range=sort_range,
        only=only,
    )
    _check_budget(decided)
    return replace(decided, workers=held_workers(decided, workers))


def _check_reads(listing_input: ExecutionInput, source: Source) -> None:
    """Refuse a kind of read, and a skip scan, that the source does not have."""
    if listing_input.consistent_read and source.kind is SourceKind.GLOBAL_INDEX:
        raise InputError(
            "consistent_read",
            True,
            "a global secondary index allows eventually consistent reads only",
            f"{leave_out('consistent_read')}, or {leave_out('index')}",
            others={"index": listing_input.index},
        )
    if listing_input.strategy is Strategy.SKIP and not source.can_skip:
        raise InputError(
            "strategy",
            "skip",
            f'{source.kind} "{listing_input.index or listing_input.table}" has no sort key, so a run cannot skip',
            f'{leave_out("strategy")} or set "page"',
        )


def _strategy(listing_input: ExecutionInput, source: Source, *, reads_all: bool) -> Strategy:
    """Return the strategy of the input, or the better one; raise `InputError` for a skip scan of every item."""
    if listing_input.strategy is Strategy.SKIP and reads_all:
        raise InputError(
            "strategy",
            "skip",
            "the run is to read every item, so there is nothing to skip",
            f"{leave_out('strategy')}, or bound the items of a group",
        )
    if listing_input.strategy is not Strategy.AUTO:
        return listing_input.strategy
    return Strategy.SKIP if source.can_skip and not reads_all else Strategy.PAGE


def _check_level(listing_input: ExecutionInput, source: Source) -> None:
    """Refuse a level where sort keys have no prefixes, and a partition key whose name a line needs for the prefix."""
    field = "prefix_length" if listing_input.delimiter is None else "delimiter"
    name = source.index or source.table
    if not source.sort_key or source.sort_key[0].type not in TYPES:
        kind = f"of type {source.sort_key[0].type}" if source.sort_key else "missing"
        raise InputError(
            field,
            getattr(listing_input, field),
            f'the sort key of "{name}" is {kind}, and only sort keys of the types S and B have prefixes',
            leave_out(field),
        )
    if any(attribute.name == PREFIX for attribute in source.partition_key):
        raise InputError(
            field,
            OMITTED,
            f'is given, and the partition key has an attribute "{PREFIX}", the name that a line uses for the prefix',
            leave_out(field),
        )


def _check_take(take: Take, source: Source, table: TableDescription, index: IndexDescription | None) -> None:
    """Refuse attributes and ends that the source does not have, and keys whose name a line needs for what it takes."""
    members = take.members
    for attribute in source.line.partition_key:
        if attribute.name in members:
            raise InputError(
                "take",
                OMITTED,
                f'is given, and the partition key has an attribute "{attribute.name}"; a line uses the names '
                f"{', '.join(map(quoted, members))} for what it takes, so they would collide with the key",
                leave_out("take"),
            )
    name = index.name if index else source.table
    if take.beyond and not source.sort_key:
        rule = f"{quoted(name)} has no sort key, so each item collection has one item, and none beyond it"
        raise InputError("take.beyond", take.beyond, rule, leave_out("take.beyond"))
    if take.descends and not source.sort_key:
        rule = f'is given; "{name}" has no sort key, so its items have no order'
        raise InputError(f"take.{ORDER}", OMITTED, rule, leave_out(f"take.{ORDER}"))
    if LAST in take.attributes and index is not None and not source.sort_key:
        raise InputError(
            "take.last",
            OMITTED,
            f'is given; index "{name}" has no sort key, so its item collections have no order and no last item',
            f"use {named(f'take.{FIRST}')}, which can be any item, or {leave_out('index')}",
        )
    if index is None or index.projection == "ALL":
        return
    projected = dict.fromkeys((*(a.name for a in index.key + table.key), *index.non_key_attributes))
    for member, names in take.attributes.items():
        if missing := [name for name in names or () if name not in projected]:
            raise InputError(
                f"take.{LEAD_OF.get(member, member)}",
                OMITTED,
                f'has {quoted(missing[0])}; index "{index.name}" projects {", ".join(projected)} only',
                f'use these attributes, set "{ALL}" for all of them, or {leave_out("index")}',
            )


def _range(listing_input: ExecutionInput, source: Source) -> SortRange | None:
    """Return the range that the input's bounds make; raise `InputError` for bounds that the sort key cannot have."""
    bounds = {name: value for name in RANGE if (value := getattr(listing_input, name)) is not None}
    if not bounds:
        return None
    of = f'"{listing_input.index or source.table}"'
    first = next(iter(bounds))
    if not source.sort_key:
        raise InputError(first, bounds[first], f"{of} has no sort key, so its items have no range", leave_out(first))
    key = source.sort_key[0]
    if "prefix" in bounds and key.type == "N":
        rule = f'the sort key "{key.name}" of {of} is of type N, and a number has no prefix'
        raise InputError("prefix", listing_input.prefix, rule, f"use {named('since')} and {named('until')}")
    if listing_input.between is not None:
        bounds = dict(zip(("since", "until"), listing_input.between, strict=True))
    ends = {}
    for name, value in bounds.items():
        try:
            ends[name] = sort_key_value(key.type, value)
        except ValueError as error:
            rule = f'the sort key "{key.name}" of {of} is of type {key.type}, and {error}'
            raise InputError(first if listing_input.between else name, value, rule, _HOW[key.type]) from None
    made = SortRange(key.name, **ends)
    if made.is_reversed:
        rule = "the range would end before it begins"
        remedy = "exchange the two"
        between = listing_input.between
        if between is not None:
            raise InputError("between", [*between], rule, remedy)
        raise InputError(first, bounds["since"], rule, remedy, others={"until": bounds["until"]})
    return made


_HOW = {"S": "write it as a text", "N": "write it as a number", "B": "write it as base64"}


def is_on_demand(description: TableDescription, index: IndexDescription | None) -> bool:
    """Return whether reads are billed by the unit. A local index is billed like its table."""
    is_own = index is not None and index.kind is SourceKind.GLOBAL_INDEX
    return (index.throughput if index and is_own else description.throughput).read_units is None


def held_workers(plan: Plan, workers: int) -> int:
    """Return as many of the workers as keep the plan's rate and budgets together."""
    return replace(plan, workers=workers).limits.fitting


def average_page(plan: Plan) -> Amounts:
    """Return the read units of a page of one average item, and of the Queries that it may need."""
    steps = max(1, ceil(plan.item_bytes / STEP_BYTES)) * (1 + plan.page_lookups)
    return amounts(plan.prices, plan.step_units * steps)


def _check_budget(plan: Plan, workers: int = 1) -> None:
    told = f"DescribeTable: items have {plan.item_bytes:,.0f} bytes on average"
    reasons = {
        "read_units": f"a page of one item takes about that many ({told})",
        "dollars": "the other services cost about that much for one page",
    }
    plan.limits.check(f'a run over table "{plan.source.table}"', average_page(plan), reasons, workers=workers)


def resumed(
    earlier: Plan,
    listing_input: ExecutionInput,
    description: TableDescription,
    prices: Prices = US_EAST_1,
) -> Plan:
    """Return the plan for a resumed run: the fixed plan with the rate and the budget of this input.

    Raises `TableError` if the table's keys have changed.
    """
    check_ready("table", listing_input.table, description.status)
    index = earlier.source.index
    if Source.described(earlier.source.table, description, index, earlier.source.level) != earlier.source:
        raise TableError(
            f'table "{listing_input.table}"',
            OMITTED,
            "has different keys than when the run started",
            "start a new run",
        )
    read = None if index is None else description.index(index)
    _check_index_ready(read)
    again = replace(
        earlier,
        max_read_units_per_second=listing_input.max_read_units_per_second or gentle_read_rate(description, read),
        max_read_units=listing_input.max_read_units,
        max_dollars=listing_input.max_dollars,
        prices=prices.provisioned(reads=not is_on_demand(description, read), writes=False),
    )
    _check_budget(again, again.workers)
    return again


def _check_index_ready(index: IndexDescription | None) -> None:
    """Refuse a global index that is being created or deleted; a local one has no status of its own."""
    if index is not None and index.kind is SourceKind.GLOBAL_INDEX:
        check_ready("index", index.name, index.status)


def check_ready(what: str, name: str, status: str | None) -> None:
    """Refuse a table or index that is being created or deleted; one that is being updated can be read."""
    if status not in {"ACTIVE", "UPDATING"}:
        raise TableError(
            f'{what} "{name}"',
            OMITTED,
            f"is {status}; it must be ACTIVE to be scanned",
            "wait until it is, then start again",
        )
