"""The page states the kept figures of the writers, and every writer writes all items."""

import pytest

from benchmarks.writers.document import DOCUMENT, put_in
from benchmarks.writers.rates import measure
from local.checkout import ROOT


def test_the_page_states_the_kept_figures() -> None:
    page = (ROOT / DOCUMENT).read_text()
    assert put_in(page) == page


@pytest.mark.engine
def test_every_way_writes_every_item() -> None:
    figures = measure(100, rounds=1)  # raises for a way that wrote fewer
    assert list(figures) == ["act put", "retrofit", "copy", "BatchWriteItem"]
    assert all(way["rate"] > 0 and way["cpu_milliseconds"] > 0 for way in figures.values())
