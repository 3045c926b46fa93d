"""The page about a job of any kind, from nothing but its plan and its manifest."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from skipscan.loop.finish import manifest
from skipscan.loop.results import Results
from skipscan.report.job import job
from skipscan.report.page import page
from tests.unit.test_proof import NAMED, PARTS, WHOLE

JOBS = [kind for kind in WHOLE if kind != "listing"]


class Finished:
    """The results of a job that is finished."""

    def __init__(self, plan: Mapping[str, Any], manifest: Mapping[str, Any], name: str) -> None:
        self._plan, self._manifest = plan, manifest
        self.layout = type("Layout", (), {"name": name})()

    def plan(self) -> Mapping[str, Any]:
        return self._plan

    def manifest(self) -> Mapping[str, Any]:
        return self._manifest


def of(kind: str, name: str = "run-1", **more: Any) -> Results:
    whole = WHOLE[kind]
    work = whole.kind.begun(NAMED, whole.plan)
    counts = whole.reached[0].counts + whole.reached[1].counts
    document = {**manifest(whole.kind, work, PARTS, counts, whole.reached), **more}
    return cast(Results, Finished(work.to_json(), document, name))


@pytest.mark.parametrize("kind", JOBS)
def test_every_kind_of_job_has_its_bill_counts_and_files(kind: str) -> None:
    html = page(job(WHOLE[kind].kind, of(kind)), datetime.now(UTC))
    for said in ("Complete: every one of", "The bill", f"This {kind}", "Step Functions", "arn:run-1", "3 parts"):
        assert said in html, said
    assert "Progress</h2>" not in html  # no empty card


@pytest.mark.parametrize("kind", JOBS)
def test_what_was_estimated_stands_beside_what_came(kind: str) -> None:
    estimated = {"dollars": 0.5, "requests": {"estimate": 12, "low": 10, "high": 20}}
    drawn = job(WHOLE[kind].kind, of(kind, estimated=estimated))
    assert [one.name for one in drawn.estimates][-1] == "dollars"


def test_a_hostile_name_stays_text() -> None:
    html = page(job(WHOLE["act"].kind, of("act", "<script>alert(1)</script>", run="<b>")), datetime.now(UTC))
    assert "<script" not in html
    assert "&lt;script&gt;" in html
