"""Counts add up in every one, also in one that is new, and are read from manifests."""

from dataclasses import fields

import pytest

from skipscan.act.task_source import ActCounts
from skipscan.copy.item import CopyCounts
from skipscan.pace.counts import Counts
from skipscan.retrofit.item import RetrofitCounts
from skipscan.scan.progress import ScanCounts

KINDS = (ScanCounts, ActCounts, RetrofitCounts, CopyCounts)


@pytest.mark.parametrize(
    ("counts", "units"),
    [
        (ScanCounts(read_units=1.5), 1.5),
        (ActCounts(write_units=2.0), 2.0),
        (RetrofitCounts(read_units=1.5, write_units=2.0), 3.5),
        (CopyCounts(read_units=1.5, write_units=2.0), 3.5),
    ],
)
def test_units_are_those_of_reads_and_of_writes(counts: Counts, units: float) -> None:
    assert counts.units == units


@pytest.mark.parametrize("kind", KINDS)
def test_a_manifest_states_figures_among_others_and_what_an_earlier_version_did_not_count_is_0(
    kind: type[Counts],
) -> None:
    figures = kind(*range(1, len(fields(kind)) + 1))
    assert kind.stated({**vars(figures), "run": "run-1"}) == figures
    assert kind.stated({}) == kind()
