"""Counts add up in every figure, also in one that is new."""

from dataclasses import astuple, fields

from skipscan.counts import Counts


def test_every_figure_adds_up() -> None:
    figures = range(1, len(fields(Counts)) + 1)
    once, ten_times = Counts(*figures), Counts(*(10 * figure for figure in figures))
    assert astuple(once + ten_times) == tuple(11 * figure for figure in figures)
    assert Counts.total([once, once, Counts()]) == once + once
