"""Every way writes every item, and what a way loses is counted."""

import pytest

from benchmarks.writers import JOBS, races, rates

pytestmark = pytest.mark.engine


def test_every_way_writes_every_item() -> None:
    figures = rates(100, rounds=1)  # raises for a way that wrote fewer
    assert list(figures) == [*JOBS, *(f"{name}, over boto3" for name in JOBS), "BatchWriteItem"]
    assert all(way["rate"] > 0 and way["cpu_ms"] > 0 for way in figures.values())


@pytest.mark.long
def test_a_job_loses_nothing_of_what_an_application_changes_meanwhile() -> None:
    figures = races(400)
    for name, again in (("retrofit", 0), ("copy", 405)):
        ours = figures[name]
        assert (ours["changes_lost"], ours["deletes_undone"]) == (0, 0)
        assert ours["changes"] > 0
        assert ours["write_units_again"] == again  # a put whose condition fails is billed
        assert ours["write_units"] == pytest.approx(405, abs=2)
