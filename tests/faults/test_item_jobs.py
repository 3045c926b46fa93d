"""Whatever S3 does, every item of a retrofit and of a copy is counted and listed once, and all counts agree."""

from collections import Counter
from typing import Any

import pytest

from skipscan.aws.bucket import Bucket
from skipscan.items.concatenation import Unmade
from tests.faults.item_jobs import AFTER, REFUSED, copy, retrofit

SEEDS = 60


def test_a_retrofit_is_whole_whatever_s3_does() -> None:
    faults: Counter[str] = Counter()
    for seed in range(SEEDS):
        with retrofit(seed) as (job, table):
            output = job.run()
        faults += job.s3.faults
        outcomes = sum(output[name] for name in ("written", "right", "gone", "lacking", "refused", "contended"))
        assert output["items"] == outcomes == len(table.items)
        lacking = {i for i, entry in table.items.items() if isinstance(job.job.plan.assignments.judge(entry), Unmade)}
        assert sorted(line["key"]["id"]["S"] for line in job.listed()) == sorted(lacking)
        assert output["lacking"] == len(lacking)
        assert output["verified"] == len(table.items) * job.job.plan.verify
        assert all(job.job.plan.assignments.judge(e) is None for i, e in table.items.items() if i not in lacking)
        assert len(job.documents("manifest.json")) == 1
    met_all(faults)


def test_a_copy_is_whole_whatever_s3_does() -> None:
    faults: Counter[str] = Counter()
    for seed in range(SEEDS):
        with copy(seed) as (job, tables):
            output = job.run()
        faults += job.s3.faults
        plan = job.job.plan
        assert output["items"] == output["copied"] + output["present"] == len(tables.source)
        assert tables.target == {i: plan.transform.of(entry).item for i, entry in tables.source.items()}
        assert output["source_items"] == output["target_items"] == len(tables.source) * plan.verify
        assert output["missing"] + output["surplus"] + output["different"] == len(job.listed()) == 0
        assert len(job.documents("manifest.json")) == 1
    met_all(faults)


def met_all(faults: Counter[str]) -> None:
    """Every fault happened often enough to say something."""
    assert all(faults[fault.value] > 3 for fault in (*REFUSED, *AFTER)), faults
    assert faults.total() > 200, faults.total()


def test_the_schedules_catch_a_commit_that_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(bucket: Bucket, name: str, body: bytes, metadata: Any = None, **_: Any) -> bool:
        bucket.client.put_object(Bucket=bucket.name, Key=name, Body=body, Metadata=metadata or {})
        return True

    monkeypatch.setattr(Bucket, "put_once", careless)
    with pytest.raises(AssertionError):
        test_a_retrofit_is_whole_whatever_s3_does()
