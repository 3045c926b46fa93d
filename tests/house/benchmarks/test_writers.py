"""The pages of the jobs state the kept figures of the writers, and every writer writes all items."""

import pytest

from benchmarks.writers.document import WRITERS
from benchmarks.writers.rates import measure
from local.checkout import ROOT


@pytest.mark.parametrize(("name", "way"), [("act", "act put"), ("retrofit", "retrofit")])
def test_the_pages_of_the_jobs_state_it_in_hundreds(name: str, way: str) -> None:
    rate = round(WRITERS.load()["ways"][way]["rate"], -2)
    page = (ROOT / f"docs/{name}.md").read_text()
    assert f"up to {rate:,} items a second ([measured](scale.md#writers))" in page


@pytest.mark.engine
def test_every_way_writes_every_item() -> None:
    figures = measure(100, rounds=1)  # raises for a way that wrote fewer
    assert list(figures) == ["act put", "retrofit", "copy", "BatchWriteItem"]
    assert all(way["rate"] > 0 and way["cpu_milliseconds"] > 0 for way in figures.values())
