"""Refusals, explanations and estimates of Plan retrofit, before the first item is written."""

import pytest

from local import audit_table
from skipscan.errors import TableError
from tests.engines.jobs.conftest import SET, Audited
from tests.refusal import answered

pytestmark = pytest.mark.xdist_group("dynalite")


def test_a_dry_run_says_what_would_be_written_and_what_it_costs(audited: Audited) -> None:
    audited.load(20, {"id": {"S": "lacks"}})
    explanation = audited.explained(segments=6)
    assert explanation["expected"] == {"written": 23, "right": 2, "lacking": 1, "refused": 0}
    # The table's own write, and the entry that comes into the index.
    assert explanation["write_units_per_update"] == {"table": 1.0, "by-all-three": 1.0}
    assert (explanation["write_units"], explanation["read_units"]) == (46.0, 6.0)
    assert explanation["dollars"]["write_units"] == pytest.approx(46 * 0.625e-6, abs=1e-6)
    (advice,) = explanation["advice"]  # an index of several attributes needs no retrofit
    assert advice["needless"] == audit_table.ATTRIBUTE


def test_a_table_that_is_not_enabled_is_refused(audited: Audited) -> None:
    other = f"Other-{audited.table}"
    audit_table.create(audited.engine.client, other)
    refused = audited.job.planned({"table": other, "set": SET})
    answered(refused, TableError, "table", other, way='"retrofit": true')


@pytest.mark.parametrize("consistency", [{}, {"MultiRegionConsistency": "EVENTUAL"}])
def test_a_table_that_may_be_written_to_elsewhere_is_refused(audited: Audited, consistency: dict[str, str]) -> None:
    audited.load()
    audited.engine.more = {audited.table: {"Replicas": [{"RegionName": "eu-west-1"}], **consistency}}
    before = audited.items()
    refused = audited.retrofit("refused")
    answered(refused, TableError, f'table "{audited.table}"', remedy={"no_writes_elsewhere": True})
    assert audited.items() == before
    assert audited.retrofit("told", no_writes_elsewhere=True)["written"] == 3


def test_a_global_table_with_strong_consistency_is_retrofitted(audited: Audited) -> None:
    audited.load()
    strong = {"Replicas": [{"RegionName": "eu-west-1"}], "MultiRegionConsistency": "STRONG"}
    audited.engine.more = {audited.table: strong}
    assert audited.retrofit("strong")["written"] == 3
