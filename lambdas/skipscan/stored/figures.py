"""The figures of a piece of work as rows, with their words: made once, for every kind of work.

JSON, the board, `status`, `runs`, a follower's lines, notices and the report choose among these rows.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from skipscan.dynamodb.prices import Prices
from skipscan.inputs.quantities import (
    OUTCOMES,
    bound,
    counted,
    duration,
    enumerated,
    headline,
    in_utc,
    money,
    per_second,
    rounded,
    size,
    stamp,
    units,
)
from skipscan.loop.billing import bill_to_json
from skipscan.loop.kind import FAILED, IN_FAILED, AnyProgress
from skipscan.pace.counts import Counts
from skipscan.stored.moment import Moment


@dataclass(frozen=True)
class Figure:
    """`name`: in JSON, "" for what only people see. `words`: for people, "" for what only programs see.

    `note`: how it is known, or more of it. `group`: what views choose by. `label`: beside the words, where that is not
    the name.
    """

    name: str
    value: Any
    words: str = ""
    note: str = ""
    group: str = "data"
    label: str = ""

    @classmethod
    def in_words(cls, words: str, note: str = "", group: str = "data", label: str = "") -> Self:
        """Return a figure that only people see."""
        return cls("", None, words, note, group, label)

    @property
    def heading(self) -> str:
        return self.label or self.name.replace("_", " ")

    @property
    def title(self) -> str:
        return f"{self.heading[0].upper()}{self.heading[1:]}"

    def __str__(self) -> str:
        """The figure in a line: 46 groups, 1 read unit, $0.0012, 8.2 s, expected 400."""
        if self.group in {"count", "outcomes", "units", "failed"}:
            return f"{self.words} {self.heading.removesuffix('s') if self.words == '1' else self.heading}"
        if self.group in {"bill", "time"}:
            return self.words
        return f"{self.heading}{':' if self.group == 'proved' else ''} {self.words}"


CONSUMED = ("read_units", "write_units")

LABELS = {
    "items": "items evaluated",
    "lookups": "queries for items taken",
    "ended": "emptied meanwhile",
    "skips_ignored": "segments where the engine ignored skips",
}
"""The counts of a run whose names do not say by themselves what they count."""


def figures(of: Moment, since: Moment | None = None, now: datetime | None = None) -> list[Figure]:
    """Return everything that is known about work, in the order in which a person reads.

    `since`: the earlier moment from which rates are computed, if not the start. `now`: of work that runs.
    """
    return [
        *of_counts(of.counts, of.followed, of.labels, is_each_once=of.followed == of.kind.default_count),
        *_in_failed(of),
        *_of_bill(of),
        *_of_time(of, now),
        *_of_progress(of, since, now),
        *_of_plan(of),
    ]


def of_counts(counts: Counts, main: str, labels: str, *, is_each_once: bool = True) -> Iterator[Figure]:
    """Yield the counts of work or of a worker: the main one, units, what became of it, the rest.

    `main`, `labels`: the name of the main count, and what it counts. `is_each_once`: whether it counts each thing once.
    """
    found, outcomes = vars(counts), counts.outcomes
    known = f"measured, each {labels.removesuffix('s')} once" if is_each_once else "measured, in both tables"
    yield Figure(main, found[main], headline(found[main]), known, "count", labels)
    consumed = [name for name in CONSUMED if name in found]
    for name in consumed:
        is_shown = found[name] or (name == consumed[-1] and not counts.units)  # nothing is worth a row, too
        amount = units(found[name]) if is_shown else ""
        yield Figure(name, found[name], amount, f"measured, in {counted(counts.requests, 'request')}", "units")
    for name in outcomes:
        if name != main:
            yield Figure(name, found[name], rounded(found[name]), "", "outcomes", OUTCOMES.get(name, ""))
    for name in found:
        if name not in {main, "throttles", *consumed, *outcomes}:
            words = rounded(found[name]) if found[name] and name != "requests" else ""
            yield Figure(name, found[name], words, "", "counts", LABELS.get(name, ""))
    throttled = f"{rounded(counts.throttles)} of {counted(counts.requests + counts.throttles, 'request')}"
    yield Figure("throttles", counts.throttles, throttled, "", "counts", "throttled")


def _in_failed(of: Moment) -> Iterator[Figure]:
    if lines := of.kind.in_failed(of.counts):
        yield Figure.in_words(rounded(lines), IN_FAILED, "failed", f"in {FAILED}/")


def _of_bill(of: Moment) -> Iterator[Figure]:
    bill, prices = of.bill, of.plan.prices
    is_billed = any(getattr(prices, name).dollars_per_million for name in CONSUMED if name in vars(of.counts))
    yield of_dollars(bill_to_json(of.plan, bill), bill.total, bill.units, is_billed=is_billed)
    services = [
        ("write units", bill.write_units, "measured units at a dated price"),
        ("read units", bill.read_units, "measured units at a dated price"),
        ("Lambda", bill.lambda_, "measured by the workers; Plan and Finish estimated"),
        ("Step Functions", bill.step_functions, "counted by the workers; the rest of the machine estimated"),
        ("S3", bill.s3, "requests counted by the workers; those of Plan and Finish estimated"),
    ]
    paid = [service for service in services if service[1]]
    amounts = [dollars for _, dollars, _ in paid]
    for label, dollars, basis in paid:
        yield Figure.in_words(money(dollars, *amounts), basis, "services", label)


def of_dollars(document: Mapping[str, Any], total: float, of_units: float, *, is_billed: bool) -> Figure:
    """Return a whole bill, also an expected one. `is_billed`: whether units cost, and no capacity is provisioned."""
    note = f"of which {money(of_units)} for units" if is_billed else "without the table's provisioned capacity"
    return Figure("dollars", document, money(total), f"the whole bill, {note}", "bill")


def of_prices(prices: Prices) -> str:
    """Return where the prices of a bill are from: us-east-1, 2024-11, AWS price list."""
    return f"{prices.region}, {'; '.join(prices.origins)}"


def _of_time(of: Moment, now: datetime | None) -> Iterator[Figure]:
    started, finished = in_utc(of.started), (of.ending or {}).get("finished")
    seconds, known = of.seconds, "measured" if of.ending else "until the newest commit"
    if now and not of.ending:
        seconds, known = max(0.0, (now - of.started).total_seconds()), "so far"
    known += f", with {counted(of.plan.workers, 'worker')}"
    yield Figure.in_words("" if seconds is None else duration(seconds), known, "time", "time")
    yield Figure("started", started, stamp(started), group="when")
    at = in_utc(datetime.fromisoformat(finished)) if finished else None
    yield Figure("finished", at, stamp(at) if at else "", "", "when", "" if of.is_complete else "stopped")
    yield Figure("committed", of.committed and in_utc(of.committed))


def _of_progress(of: Moment, since: Moment | None, now: datetime | None) -> Iterator[Figure]:
    """Yield how far work is and where it goes on; people see this of work that is not complete."""
    unit, speed, end = of.kind.unit, of.per_second(since), of.estimated_end(since) if now else None
    group = "data" if of.is_complete else "now"
    yield Figure(
        "per_second",
        None if speed is None else round(speed, 3),
        "" if speed is None else f"{per_second(speed)} {of.labels} a second",
        group="speed",
        label="speed",
    )
    how = "last time" if of.previous else "by the plan"
    is_expected = of.expected is not None and of.expected != of.done
    yield Figure("expected", of.expected, f"{of.expected:,.0f}" if is_expected else "", how, group)
    yield Figure("part_done", round(of.part_done, 4) if of.is_measurable else None)
    ends = "" if end is None or now is None else f"in {duration(max(0.0, (end - now).total_seconds()))}"
    yield Figure("estimated_end", end and in_utc(end), stamp(in_utc(end)) if end and of.left else "", ends, group)
    done = "" if of.left is None else f"{of.ended:,} of {of.units:,} done"
    yield Figure(unit, of.units, done or rounded(of.units), group="progress")
    yield Figure(f"{unit}_left", of.left)
    yield Figure.in_words(rounded(of.plan.workers), group="progress", label="workers")


def _of_plan(of: Moment) -> Iterator[Figure]:
    """Yield what was requested, its limits, and what else the manifest proves."""
    plan, ending = of.plan, of.ending or {}
    yield Figure.in_words(str(plan.stated.get("table", plan.table)), group="work", label="table")
    yield Figure.in_words(of.work.execution.arn, group="work", label="execution")
    for group, rows in (("request", of.kind.requested(plan)), ("how", of.kind.how(plan))):
        yield from (Figure.in_words(words, group=group, label=label) for label, words in rows)
    if of.facts.get("items"):
        size_ = f"{counted(of.facts['items'], 'item')}, {size(of.facts['size_bytes'])}"
        yield Figure.in_words(size_, "up to six hours old", "how", "DescribeTable")
    first = "until it was resumed" if of.resumes else ""  # a resume sets limits of its own, which no file holds
    yield from of_limits(vars(getattr(plan, "reading", plan)) | vars(plan) | getattr(plan, "rates", {}), first)
    proved = of.kind.proved(ending) if ending else {}
    yield from (Figure.in_words(words, group="proved", label=label) for label, words in proved.items())
    yield Figure.in_words(ending.get("skipscan_version", ""), group="made", label="Skipscan")


RATES = ("max_read_units_per_second", "max_write_units_per_second", "max_keys_per_second")
NO_LIMIT = "no limit"
BUDGETS = ("max_read_units", "max_write_units", "max_dollars")


def of_limits(
    fields: Mapping[str, Any], note: str = "", overrun: Mapping[str, float] | None = None
) -> Iterator[Figure]:
    """Yield the rates and budgets of a plan or of a preview, by their fields in the input."""
    for label, names in (("rate", RATES), ("budget", BUDGETS)):
        amounts = [bound(name, fields[name]) for name in names if fields.get(name) is not None]
        words = f"at most {enumerated(amounts)}" if amounts else NO_LIMIT
        yield Figure.in_words(words, note, "limits", label)
    if overrun:
        more = enumerated([bound(name, most) for name, most in overrun.items()])
        yield Figure.in_words(f"a budget can be exceeded by {more}", "", "limits", "overrun")


def of_worker(of: Moment, progress: AnyProgress, *, is_done: bool) -> dict[str, Any]:
    """Return the figures of one worker for programs."""
    unit, plan = of.kind.unit, of.plan
    return {
        "worker": progress.worker,
        "batches": progress.batch,
        **vars(progress.counts),
        unit: of.kind.start(plan, progress.worker).left(plan),
        f"{unit}_left": progress.left(plan),
        "done": is_done,
    }


def figures_to_json(found: Iterable[Figure]) -> dict[str, Any]:
    """Return the figures for programs, by name."""
    return {one.name: one.value for one in found if one.name}


def chosen(found: Iterable[Figure], *groups: str) -> list[Figure]:
    """Return the figures that people see of these groups, in the order of the groups."""
    shown = [one for one in found if one.words]
    return [one for group in groups for one in shown if one.group == group]


def line(found: Iterable[Figure], *groups: str) -> list[str]:
    """Return figures in the words of a line, with what became of the main count in brackets behind it."""
    rows = list(found)
    outcomes = ", ".join(map(str, chosen(rows, "outcomes")))
    shown = {id(one): f"{one} ({outcomes})" if one.group == "count" and outcomes else str(one) for one in rows}
    return [shown[id(one)] for one in chosen(rows, *groups)]
