"""The entries of the index that a retrofit makes complete, held against the items that have its keys."""

import json
from contextlib import suppress
from math import inf
from threading import Barrier, BrokenBarrierError, Lock
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest

from local.audit_table import ATTRIBUTE, INDEX
from skipscan.aws.bucket import Bucket
from skipscan.items.job import THREADS
from skipscan.loop.results import Results
from skipscan.pace.bill import Amounts, amounts
from skipscan.retrofit.count_requests import count_indexes
from skipscan.retrofit.kind import RETROFIT
from skipscan.retrofit.plan import RetrofitPlan
from tests.engines.jobs.conftest import Audited
from tests.engines.jobs.engine import error
from tests.fakes.handlers.execution import BUCKET


def test_the_index_has_as_many_entries_as_items_have_its_keys(audited: Audited) -> None:
    audited.load(60, {"id": {"S": "lacking"}, "resourceId": {"S": "r"}})
    output = audited.run(count_indexes=True)
    counted = output["indexes"][INDEX]
    assert output["verified"] == 66
    assert (output["indexed"], counted["entries"], counted["stopped_by"]) == (65, 65, None)
    (manifest,) = audited.job.objects("manifest.json")
    assert f'"{INDEX}"' in audited.job.read(manifest).decode()


def test_an_entry_that_a_writer_takes_out_behind_the_verification_shows(audited: Audited) -> None:
    audited.load(30)

    def write(name: str, parameters: dict[str, Any]) -> None:
        if name == "scan" and "IndexName" in parameters:
            for id_ in ("111aaa", "111aab"):
                audited.engine.client.delete_item(TableName=audited.table, Key={"id": {"S": id_}})

    audited.engine.before = write
    output = audited.run(count_indexes=True)
    assert output["indexed"] == 35
    assert output["indexes"][INDEX]["entries"] < 35


def test_an_error_of_dynamodb_stops_the_count_and_not_the_job(audited: Audited) -> None:
    audited.load(5)

    def deny(_: str, parameters: dict[str, Any]) -> None:
        if "IndexName" in parameters:
            raise error("AccessDeniedException")

    audited.engine.before = deny
    output = audited.run(count_indexes=True)
    assert (output["indexes"][INDEX]["entries"], output["indexes"][INDEX]["stopped_by"]) == (
        None, "AccessDeniedException",
    )  # fmt: skip


PAGE_UNITS = 128.0


class Index:
    """An index whose pages of 1 MB all arrive together, as they do from a fast service. `died`: after so many pages."""

    def __init__(self, pages: int = 200, *, at_once: int = 16) -> None:
        self.read_units, self.pages = 0.0, pages
        self._lock, self._gate = Lock(), Barrier(at_once, timeout=0.2)

    def scan(self, **asked: Any) -> dict[str, Any]:
        with suppress(BrokenBarrierError):
            self._gate.wait()
        with self._lock:
            self.read_units += PAGE_UNITS
            self.pages -= 1
            last = self.pages < THREADS
            number = self.pages
        key = {} if last else {"LastEvaluatedKey": {"id": {"S": f"{asked['Segment']}-{number}"}}}
        capacity = {"ConsumedCapacity": {"TableName": "t", "CapacityUnits": PAGE_UNITS}}
        return {"Count": 1000, "ScannedCount": 1000, **capacity, **key}


def counting(audited: Audited, **asked: Any) -> tuple[RetrofitPlan, Results]:
    """Return the plan and results of a retrofit that has nothing left to do but to count."""
    document = {"table": audited.table, "set": {ATTRIBUTE: "{resourceId}-{action}-{accessedBy}"}, **asked}
    planned = audited.job.planned({**document, "count_indexes": True, "dry_run": False}, f"count-{uuid4().hex}")
    plan = RETROFIT.work(planned["work"]).plan
    client: Any = audited.job.s3
    layout = RETROFIT.layout("skipscan", audited.table, planned["work"]["name"])
    return plan, Results(Bucket(client, BUCKET), layout)


def test_pages_are_reserved_before_they_are_read(audited: Audited) -> None:
    audited.load(5)
    plan, results = counting(audited, max_read_units=1000)
    index: Any = Index()
    counted = count_indexes(index, plan, Amounts(), results, until=inf)
    assert counted[INDEX]["stopped_by"] == "budget"
    assert (
        700
        < index.read_units
        == counted[INDEX]["read_units"]
        <= plan.limits.budget.read_units + plan.limits.page.read_units
    )


def test_all_attempts_of_the_count_together_keep_the_budget(audited: Audited) -> None:
    audited.load(5)
    plan, results = counting(audited, max_read_units=1000)
    index: Any = Index(10_000)
    for _ in range(9):
        count_indexes(index, plan, Amounts(read_units=300.0), results, until=inf)
    assert 400 < index.read_units <= plan.limits.budget.read_units - 300 + plan.limits.page.read_units


def test_what_the_workers_took_besides_units_counts_against_the_dollars(audited: Audited) -> None:
    """Of max_dollars the workers' units are a small part: without their services the count could go on."""
    audited.load(30)
    audited.run("once")
    asked: list[Amounts] = []

    def seen(_client: Any, _plan: Any, consumed: Amounts, *_more: Any, **_named: Any) -> dict[str, Any]:
        asked.append(consumed)
        return {}

    with patch("skipscan.retrofit.count_requests.count_indexes", seen):
        stated = audited.run("again", count_indexes=True, max_dollars=1.0)
    (consumed,), dollars = asked, stated["dollars"]
    (name,) = audited.job.objects("again/plan.json")
    units = amounts(RETROFIT.work(json.loads(audited.job.read(name))).plan.prices, stated["read_units"]).dollars
    services = dollars["lambda"] + dollars["step_functions"] + dollars["s3"]
    assert consumed.read_units == pytest.approx(stated["read_units"])
    # The bill states Lambda, Step Functions and S3 with six decimals: each is at most half a millionth off. The units
    # are not taken from the bill, so they add nothing.
    assert consumed.dollars == pytest.approx(units + services, rel=0, abs=3 * 0.5e-6)
    assert services > units
