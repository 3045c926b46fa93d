"""The record of a finished job, of whatever kind, from its plan and its manifest."""

from collections.abc import Iterator, Mapping
from typing import Any

from skipscan.errors import IncompleteRunError
from skipscan.estimate.interval import Interval
from skipscan.inputs.names import table_name
from skipscan.loop.finish import ESTIMATED
from skipscan.loop.kind import Kind
from skipscan.loop.results import Results
from skipscan.pace.bill import LEFT_OUT
from skipscan.pace.bill import Bill as WholeBill
from skipscan.pace.counts import Counts
from skipscan.report.report import Bill, BillRow, Expected, Files, Headline, Report
from skipscan.report.words import count, headline, money, span, stamp, units, whole

SHOWN_FILES = 200
UNITS = {"write_units": "write units", "read_units": "read units"}


def job(kind: Kind[Any, Any], results: Results) -> Report:
    """Return the report of a job; raise `IncompleteRunError` if it is not finished."""
    planned, manifest = results.plan(), results.manifest()
    if planned is None or manifest is None:
        raise IncompleteRunError(f"{kind.noun} {results.layout.name} has no manifest: wait until it is finished")
    plan = kind.work(planned).plan
    counts: Counts = type(kind.start(plan, 0).counts).from_json(manifest)
    bill = WholeBill.from_json(manifest["dollars"])
    done = int(counts.to_json()[kind.settled])
    noun = kind.settled.removesuffix("s")
    return Report(
        noun=kind.noun,
        name=results.layout.name,
        subject=table_name(manifest["table"]),
        is_complete=True,
        status=f"Complete: every one of {count(done, noun)} is accounted for",
        answer=f"{count(done, noun)} in {span(manifest['seconds'])} for {money(bill.total)}.",
        headlines=list(_headlines(kind, counts, bill, manifest)),
        bill=_bill(kind, counts, bill, manifest),
        estimates=list(_estimates(counts, manifest)),
        facts=list(_facts(kind, counts, manifest)),
        files=_files(kind, manifest),
    )


def _consumed(counts: Counts) -> str:
    """Return the units that the job is about: those it writes, unless it only reads."""
    return "write_units" if counts.write_units or not counts.read_units else "read_units"


def _headlines(
    kind: Kind[Any, Any], counts: Counts, bill: WholeBill, manifest: Mapping[str, Any]
) -> Iterator[Headline]:
    name = _consumed(counts)
    yield Headline(headline(counts.to_json()[kind.settled]), kind.settled, "measured")
    yield Headline(headline(getattr(counts, name)), UNITS[name], f"measured, in {count(counts.requests, 'request')}")
    yield Headline(money(bill.total), "dollars", f"the whole bill: {money(bill.units)} for read and write units")
    yield Headline(
        span(manifest["seconds"]), "from start to end", f"measured, with {count(manifest['workers'], 'worker')}"
    )


def _bill(kind: Kind[Any, Any], counts: Counts, bill: WholeBill, manifest: Mapping[str, Any]) -> Bill:
    name = _consumed(counts)
    consumed = getattr(counts, name)
    row = BillRow(
        f"This {kind.noun}",
        Interval(consumed, consumed, consumed),
        Interval(counts.requests, counts.requests, counts.requests),
        bill.total,
        getattr(bill, name),
        "measured",
    )
    services = [
        ("Write units", bill.write_units, "measured units at a dated price"),
        ("Read units", bill.read_units, "measured units at a dated price"),
        ("Lambda", bill.lambda_, "measured by the workers; Plan and Finish estimated"),
        ("Step Functions", bill.step_functions, "counted by the workers; the rest of the machine estimated"),
        ("S3", bill.s3, "requests counted by the workers; those of Plan and Finish estimated"),
    ]
    prices, region = "; ".join(manifest["dollars"]["prices"]), manifest["dollars"]["region"]
    notes = [
        f"Prices of {region}: {prices}. Free tiers and discounts are not subtracted.",
        f"Not in the bill: {LEFT_OUT}.",
    ]
    return Bill(UNITS[name], [row], [one for one in services if one[1]], notes)


def _estimates(counts: Counts, manifest: Mapping[str, Any]) -> Iterator[Expected]:
    came = {**counts.to_json(), "dollars": manifest["dollars"]["total"], "minutes": manifest["seconds"] / 60}
    for name in ESTIMATED:
        estimated = (manifest.get("estimated") or {}).get(name)
        interval = estimated if isinstance(estimated, Mapping) else {"estimate": estimated}
        if came.get(name) and interval.get("estimate"):
            low, high = interval.get("low"), interval.get("high")
            yield Expected(name.replace("_", " "), float(interval["estimate"] or 0), low, high, came[name])


def _facts(kind: Kind[Any, Any], counts: Counts, manifest: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Return what the job was and what it counted; nothing of its templates, which hold a user's own values."""
    yield "Table", manifest["table"]
    for name, field in (("Run", "run"), ("New table", "to")):
        if field in manifest:
            yield name, str(manifest[field])
    yield "Execution", manifest["execution"]
    yield "Started", stamp(manifest["started"])
    yield "Finished", stamp(manifest["finished"])
    yield (
        "Parallelism",
        f"{count(manifest[kind.unit], kind.unit.removesuffix('s'))}, {count(manifest['workers'], 'worker')}",
    )
    for name, value in counts.to_json().items():
        yield name.replace("_", " ").capitalize(), units(value) if name in UNITS else whole(value)
    yield "Skipscan", manifest["skipscan_version"]


def _files(kind: Kind[Any, Any], manifest: Mapping[str, Any]) -> Files | None:
    parts = manifest.get(f"{kind.lines}_parts")
    if not parts:
        return None
    rows = [
        (part["name"].partition(f"/{kind.lines}/")[2] or part["name"], part["keys"], part["bytes"], part["sha256"])
        for part in parts[:SHOWN_FILES]
    ]
    return Files("failed", rows, len(parts), sum(part["bytes"] for part in parts), "manifest.json")
