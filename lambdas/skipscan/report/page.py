"""The report of a run: one HTML page that needs nothing else, runs no script, and asks no network."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from skipscan import __version__
from skipscan.estimate.offer import FIRST_ITEM, FULL
from skipscan.inputs.names import table_name
from skipscan.report.record import Record
from skipscan.report.section import Section, Table
from skipscan.report.sections import sections
from skipscan.report.ways import Way, is_on_demand, prices, services_dollars, ways
from skipscan.report.words import count, ends, listed, money, size, span, times, units, whole

NAMES = {
    FULL: ("a full scan", "Full scan"),
    FIRST_ITEM: ("a skip scan with Limit=1", "Skip scan with Limit=1, as in the AWS Database Blog"),
}
"""The other ways, in a sentence and as a heading."""


@dataclass(frozen=True)
class Figure:
    """One of the figures that the page begins with."""

    value: str
    name: str
    detail: str


@dataclass(frozen=True)
class Bar:
    """A way to list the keys in the comparison. `width`: in percent of the widest."""

    name: str
    read_units: str
    ends: str
    requests: str
    dollars: str
    basis: str
    width: float
    is_ours: bool


def page(record: Record, now: datetime, measured: Mapping[str, tuple[float, int]] | None = None) -> str:
    """Return the report as HTML. Table and run names are escaped, and no key values are in it.

    `measured`: read units and requests of `FULL` or `FIRST_ITEM`, where that was done on the same table.
    """
    environment = Environment(
        loader=PackageLoader("skipscan.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    compared = ways(record, measured or {})
    shown = list(sections(record))
    return environment.get_template("page.html.j2").render(
        style=Markup(_source("page.css")),  # noqa: S704 - a file of ours
        svg=Markup,  # what matplotlib draws; it escapes all text
        table=_what(record),
        run=record.run.name,
        state=_state(record),
        answer=_answer(record, compared),
        figures=list(_figures(record)),
        bars=list(_bars(compared)),
        notes=[note for note in (_unknown(compared, record), _price_note(record)) if note],
        first=[section for section in shown if section.is_broad],
        columns=_columns([section for section in shown if not section.is_broad]),
        facts=list(_facts(record)),
        parts=_parts(record),
        made=now.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        version=__version__,
    )


def _source(name: str) -> str:
    return files("skipscan.report").joinpath(name).read_text(encoding="utf-8")


def _what(record: Record) -> str:
    source = record.run.plan.source
    name = table_name(source.table)
    return f"{name}, index {source.index}" if source.index else name


def _state(record: Record) -> tuple[str, str]:
    """Return how the run ended: a word for the style, and what to say."""
    if record.is_complete:
        return "complete", "Complete: every segment was walked to its end"
    if record.ending is not None:
        left = f"{record.ending['segments_left']:,} of {count(record.run.plan.segments, 'segment')} left"
        return "unfinished", f"Stopped by its budget, {left}; it can be resumed"
    return "unfinished", "Not finished: still running, or stopped; figures are those of its last checkpoints"


def _answer(record: Record, compared: tuple[Way, ...]) -> str:
    counts = record.counts
    said = f"{count(counts.keys, 'distinct partition key')} for {units(counts.read_units)} read units"
    if record.seconds is not None:
        said += f" in {span(record.seconds)}"
    saved = listed(list(_saved(compared)))
    if not saved:
        return f"{said}."
    if all(way.is_measured for way in compared):
        return f"{said}. {saved[0].upper()}{saved[1:]}."
    return f"{said}. By estimate, {saved}."


def _saved(compared: tuple[Way, ...]) -> Iterator[str]:
    ours = compared[0].read_units.estimate
    for way in reversed(compared[1:]):
        if ours and way.read_units.estimate:
            factor = way.read_units.estimate / ours
            much = f"{times(factor)} times as many" if factor >= 1.05 else "about as many"
            if factor <= 0.95:
                much = f"fewer, {factor:.0%} of that"
            yield f"{NAMES[way.name][0]} {'consumed' if way.is_measured else 'would have consumed'} {much}"


def _figures(record: Record) -> Iterator[Figure]:
    counts, seconds = record.counts, record.seconds
    yield Figure(whole(counts.keys), "keys", "measured, each once")
    yield Figure(units(counts.read_units), "read units", f"measured, in {count(counts.requests, 'request')}")
    services = services_dollars(record)
    if is_on_demand(record):
        read = prices(record).read_units.of(counts.read_units)
        yield Figure(
            money(read),
            "for read units",
            f"measured, at a dated price; about {money(services)} for services, estimated",
        )
    else:
        yield Figure(
            "provisioned", "for read units", f"paid for as capacity; about {money(services)} for services, estimated"
        )
    if seconds is not None:
        yield Figure(span(seconds), "from start to end", f"measured, with {count(record.run.plan.workers, 'worker')}")


def _bars(compared: tuple[Way, ...]) -> Iterator[Bar]:
    most = max(way.read_units.estimate for way in compared) or 1.0
    for way in compared:
        yield Bar(
            way.name if way is compared[0] else NAMES[way.name][1],
            units(way.read_units.estimate),
            ends(way.read_units),
            whole(way.requests.estimate),
            "paid as capacity" if way.dollars is None else money(way.dollars),
            way.basis,
            max(0.4, 100 * way.read_units.estimate / most),
            way is compared[0],
        )


def _price_note(record: Record) -> str:
    if not is_on_demand(record):
        return ""
    used = prices(record)
    price = used.read_units
    said = (
        f"Dollars are read units at ${price.dollars_per_million:g} a million in {used.region} (as of {price.as_of}; "
        f"{price.source}), without free tiers and discounts."
    )
    where = record.run.execution.split(":")
    if len(where) > 3 and where[3] != used.region:
        said += f" The run was in {where[3]}: its prices differ."
    return said


def _unknown(compared: tuple[Way, ...], record: Record) -> str:
    if not record.is_complete:
        return "Other ways are not compared before the run is complete: what they take hangs on all the keys."
    if all(way.name != FULL for way in compared):
        return "What a full scan takes is not known: DescribeTable had counted nothing when the run began."
    return ""


def _columns(shown: Sequence[Section]) -> tuple[Sequence[Section], Sequence[Section]]:
    """Return the sections in two columns, in their order, as even as may be."""
    heights = [1.6 + (section.picture.inches if section.picture else 0.0) for section in shown]
    split = min(range(len(shown) + 1), key=lambda count: abs(sum(heights[:count]) - sum(heights[count:])))
    return shown[:split], shown[split:]


def _facts(record: Record) -> Iterator[tuple[str, str]]:
    plan, ending = record.run.plan, record.ending or {}
    key = ", ".join(f"{attribute.name} ({attribute.type})" for attribute in plan.source.partition_key)
    yield "Table", plan.source.table
    if plan.source.index:
        yield "Index", plan.source.index
    yield "Partition key", key
    yield "Run", record.run.name
    yield "Execution", record.run.execution
    yield "Started", record.run.started
    if ending:
        yield "Finished" if record.is_complete else "Stopped", ending["finished"]
    yield "Strategy", f"{plan.strategy}, optimised for {plan.optimize}"
    yield "Reads", "strongly consistent" if plan.consistent_read else "eventually consistent"
    yield "Split up", f"{count(plan.segments, 'segment')}, {count(plan.workers, 'worker')}"
    rate, budget = plan.max_read_units_per_second, plan.max_read_units
    yield "Rate", "not bounded" if rate is None else f"at most {units(rate)} read units per second"
    yield "Budget", "not bounded" if budget is None else f"at most {units(budget)} read units"
    described = record.plan.get("facts") or {}
    if described.get("items"):
        yield (
            "Table by DescribeTable",
            f"{count(described['items'], 'item')}, {size(described['size_bytes'])}, up to six hours old",
        )
    yield "Items evaluated", whole(record.counts.items)
    if record.counts.skips_ignored:
        yield "Skips not honoured", f"{count(record.counts.skips_ignored, 'walk')} went on page by page"
    yield "Output", plan.format
    if ending:
        yield "Skipscan", ending["skipscan_version"]


def _parts(record: Record) -> Table | None:
    parts = (record.ending or {}).get("parts")
    if not parts:
        return None
    rows = [
        [part["name"].partition("/keys/")[2], whole(part["keys"]), size(part["bytes"]), part["sha256"]]
        for part in parts[:1000]
    ]
    more = (
        ""
        if len(parts) <= 1000
        else f" The first 1,000; {'unfinished' if not record.is_complete else 'manifest'}.json has all."
    )
    caption = f"{count(len(parts), 'part')} with {size(sum(part['bytes'] for part in parts))} together.{more}"
    return Table(caption, ("part", "keys", "size", "SHA-256"), rows, (3,))
