"""Counts add up in every one, also in one that is new, and are read from manifests."""

from dataclasses import fields

import pytest

from skipscan.act.task_source import ActCounts
from skipscan.copy.item import CopyCounts
from skipscan.pace.counts import Counts
from skipscan.retrofit.item import RetrofitCounts
from skipscan.scan.progress import ScanCounts

KINDS = (ScanCounts, ActCounts, RetrofitCounts, CopyCounts)


@pytest.mark.parametrize("kind", KINDS)
def test_a_manifest_states_figures_among_others_and_what_an_earlier_version_did_not_count_is_0(
    kind: type[Counts],
) -> None:
    figures = kind(*range(1, len(fields(kind)) + 1))
    assert kind.stated({**vars(figures), "run": "run-1"}) == figures
    assert kind.stated({}) == kind()
