"""Counts add up in every one, also in one that is new, and come back from JSON."""

import json
from dataclasses import astuple, fields

import pytest

from skipscan.act.task import ActCounts
from skipscan.copy.counts import CopyCounts
from skipscan.pace.counts import Counts
from skipscan.retrofit.counts import RetrofitCounts
from skipscan.scan.progress import ScanCounts

KINDS = (ScanCounts, ActCounts, RetrofitCounts, CopyCounts)


@pytest.mark.parametrize("kind", KINDS)
def test_every_figure_adds_up(kind: type[Counts]) -> None:
    figures = range(1, len(fields(kind)) + 1)
    once, ten_times = kind(*figures), kind(*(10 * figure for figure in figures))
    assert astuple(once + ten_times) == tuple(11 * figure for figure in figures)
    assert kind.total([once, once, kind()]) == once + once


@pytest.mark.parametrize("kind", KINDS)
def test_every_figure_comes_back_from_json(kind: type[Counts]) -> None:
    figures = kind(*range(1, len(fields(kind)) + 1))
    document = figures.to_json()
    assert list(document) == [field.name for field in fields(kind)]
    assert kind.from_json(json.loads(json.dumps(document))) == figures
