"""The figures of a report for a program: the run first, then the ways that it is compared with."""

import json
from pathlib import Path

import pytest

from skipscan.listing.estimate.offer import FIRST_ITEM, FULL
from skipscan.listing.kind import LISTING
from skipscan.loop.billing import bill_to_json
from skipscan.report.record import read_work
from skipscan.report.ways import figures
from tests.unit.report.local import local

pytestmark = [pytest.mark.xdist_group("report"), pytest.mark.slow]


def test_a_run_that_is_not_complete_is_compared_with_no_other_way(stopped: Path) -> None:
    found = figures(read_work(LISTING, local(stopped)))
    assert [way["way"] for way in found["ways"]] == ["Skipscan"]
    assert found["ways"][0]["read_unit_dollars"] is None, "provisioned capacity is billed by the hour"
    assert (found["complete"], found["segments"]) == (False, 32)
    assert 0 < found["segments_left"] <= 32


def test_each_way_has_its_figures_to_a_tenth_and_its_dollars(throttled: Path) -> None:
    record = read_work(LISTING, local(throttled))
    ours, first_item, full = figures(record)["ways"]
    point = dict.fromkeys(("estimate", "low", "high"), round(record.counts.read_units, 1))
    assert ours == {
        **{"way": "Skipscan", "measured": True, "basis": "measured: ConsumedCapacity of every page"},
        **{"read_units": point, "requests": dict.fromkeys(point, record.counts.requests)},
        **{"dollars": round(record.bill.total, 6), "read_unit_dollars": round(record.bill.read_units, 6)},
    }
    assert [(way["way"], way["measured"]) for way in (first_item, full)] == [
        (FIRST_ITEM, False),
        (FULL, False),
    ]
    for way in (first_item, full):
        assert way["basis"].startswith("estimated: ")
        assert way["read_units"]["low"] <= way["read_units"]["estimate"] <= way["read_units"]["high"]
        assert all(value == round(value, 1) for value in way["read_units"].values())


def test_the_figures_of_a_run_are_its_manifests(throttled: Path) -> None:
    record, manifest = read_work(LISTING, local(throttled)), json.loads((throttled / "manifest.json").read_text())
    found = figures(record)
    shown = {name: value for name, value in found.items() if name != "ways"}
    same = ("started", "finished", "seconds", "keys", "items", "requests", "read_units", "throttles")
    assert shown == {
        **{"kind": "run", "run": record.run.name, "table": "Orders", "index": None, "complete": True},
        **{name: manifest[name] for name in same},
        **{name: getattr(record.counts, name) for name in vars(record.counts)},
        **{"segments": 64, "segments_left": 0, "workers": 4, "batches": record.batches_committed},
        "dollars": bill_to_json(record.run.plan, record.bill),
    }
