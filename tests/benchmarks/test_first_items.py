"""docs/first-items.md states the kept figures, and both tables are listed for what arithmetic says."""

import pytest

from benchmarks.blog_table import COLLECTIONS
from benchmarks.first_items.blog import walked
from benchmarks.first_items.document import DOCUMENT, put_in
from benchmarks.first_items.results import Results
from benchmarks.first_items.way import EXPORT, KEYS, KNOWN, LAST, THEN, WHOLE, Way
from skipscan.dynamodb.prices import US_EAST_1

KEPT = Results.load()
NAMES = [KEYS, LAST, KNOWN, THEN, WHOLE, EXPORT]


def test_the_page_states_the_kept_figures() -> None:
    text = DOCUMENT.read_text()
    assert put_in(text, KEPT) == text, "renew it: python -m benchmarks.first_items.document"


@pytest.mark.parametrize("ways", [KEPT.demo, KEPT.blog], ids=["demo", "blog"])
def test_every_way_is_measured_and_last_items_cost_at_most_the_keys_and_a_query_for_each(
    ways: list[Way],
) -> None:
    assert [way.name for way in ways] == NAMES
    keys, last, known, then, whole, _ = ways
    assert (then.read_units, then.requests) == (keys.read_units + known.read_units, keys.requests + known.requests)
    assert keys.read_units < last.read_units <= 1.02 * then.read_units < whole.read_units


def test_a_page_of_the_blogs_table_needs_a_query_and_the_last_of_a_segment_none() -> None:
    keys, last = (walked(1 / 1024, last=last) for last in (False, True))
    assert keys.keys == last.keys == pytest.approx(COLLECTIONS, rel=0.001)
    assert last.read_units == pytest.approx(2 * COLLECTIONS / 2, rel=0.02)
    assert last.requests == pytest.approx(2 * keys.keys, rel=0.02)
    assert keys.read_units == pytest.approx(COLLECTIONS / 2, rel=0.02)


def test_a_script_pays_for_units_and_a_job_for_all() -> None:
    script, job = (Way("any", 1e6, 1_000_000, 600.0, workers=workers) for workers in (0, 4))
    assert script.dollars == pytest.approx(US_EAST_1.read_units.of(1e6))
    assert job.dollars > script.dollars + 4 * 600 * 2e-5
    assert job.then(script, "both").dollars == pytest.approx(job.dollars + script.dollars)
    assert Way.exported(1e12).dollars == pytest.approx(105.0)
