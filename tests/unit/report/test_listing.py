"""The report of a listing as data: its facts, figures, bill and files."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skipscan.inputs.quantities import counted, units
from skipscan.listing.estimate.offer import FIRST_ITEM, FULL
from skipscan.listing.kind import LISTING
from skipscan.report.listing import listing
from skipscan.report.record import read_work
from skipscan.report.report import ListedRun, Report
from skipscan.scan.take import read_take
from tests.unit.report.local import local

pytestmark = [pytest.mark.xdist_group("report"), pytest.mark.slow]


def of(folder: Path) -> Report:
    return listing(read_work(LISTING, local(folder)))


def test_how_many_items_a_group_has_is_said_of_those_that_were_listed(throttled: Path) -> None:
    record = read_work(LISTING, local(throttled))
    take = read_take("take", {"items": "all", "beyond": 1_500})
    report = listing(replace(record, work=replace(record.work, plan=replace(record.plan, take=take))))
    assert report.within == " beyond the first 1,500 in the order"
    assert listing(record).within == ""


def test_the_facts_of_what_a_run_met_are_there_only_if_it_met_it(throttled: Path) -> None:
    record = read_work(LISTING, local(throttled))
    counts: Any = record.counts
    counts = replace(counts, requests=1_000, lookups=30, ended=2, skips_ignored=1)
    facts = dict(listing(replace(record, counts=counts)).facts)
    assert {name: facts[name] for name in facts if name not in dict(of(throttled).facts)} == {
        "Queries for items taken": "30",
        "Emptied meanwhile": "2",
        "Segments where the engine ignored skips": "1",
    }


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (0.5, "50% of that"),
        (0.94, "94% of that"),
        (0.96, "about as many"),
        (1.04, "about as many"),
        (1.06, "1.1 times as many"),
        (30.0, "30 times as many"),
    ],
)
def test_a_full_scan_that_was_run_is_compared_and_called_a_saving_only_if_there_is_one(
    factor: float, said: str, throttled: Path
) -> None:
    record = read_work(LISTING, local(throttled))
    read = record.counts.read_units
    report = listing(record, {FULL: (factor * read, 7), FIRST_ITEM: (3 * read, 8)})
    start = f"{counted(record.settled, 'distinct partition key')} for {units(read)} read units in "
    assert report.answer.startswith(start)
    compared = f"A full scan consumed {said} and a skip scan with Limit=1 consumed 3.0 times as many."
    assert report.answer.partition(" s. ")[2] == compared
    saving = report.saving
    assert (saving is not None) is (factor > 1.05)
    if saving is not None:
        assert saving.factor == pytest.approx(factor)
        assert (saving.unit, saving.other, saving.basis) == ("read units", "a full scan", "measured")
        assert [name for name, *_ in saving.dollars] == ["this run", "a million such keys"]


def test_a_complete_run_is_the_last_of_those_that_listed_the_same(throttled: Path, stopped: Path) -> None:
    manifest = json.loads((throttled / "manifest.json").read_text())
    before = ListedRun("earlier", "2026-10-01T03:00:00+00:00", 1, 2.0, 3.0, 4.0)
    found = [listing(read_work(LISTING, local(folder)), earlier=[before]).trend for folder in (throttled, stopped)]
    assert found == [[before, ListedRun.of(manifest)], ()]
    assert of(throttled).trend == ()
