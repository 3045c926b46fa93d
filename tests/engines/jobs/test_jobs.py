"""What a copy and a retrofit have in common, over a real engine: what stops, fails or comes again costs no item."""

from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from skipscan.errors import TableError
from tests.engines.jobs.conftest import WRITING, Job, configure, vectors
from tests.engines.jobs.engine import error
from tests.refusal import answered

pytestmark = pytest.mark.xdist_group("dynalite")


@pytest.fixture(params=["audited", "copied"])
def work(request: pytest.FixtureRequest) -> Job:
    found: Job = request.getfixturevalue(request.param)
    return found


def test_a_job_is_a_dry_run_by_default(work: Job) -> None:
    work.load(45)
    before = work.items(work.written_to)
    explained = work.explained()
    assert (explained["items"], explained["items_are"], explained["point_in_time_recovery"]) == (50, "counted", True)
    assert explained["dollars"]["total"] > 0
    assert explained["prices"]["write_units"]["as_of"]
    assert (work.items(work.written_to), set(work.engine.names)) == (before, {"scan"})


def test_throttling_and_lost_connections_are_waited_out(work: Job) -> None:
    work.load(40)
    faults = [
        error("ProvisionedThroughputExceededException"),
        error("ThrottlingException", ThrottlingReasons=[{"reason": "TableWriteKeyRangeThroughputExceeded"}]),
        EndpointConnectionError(endpoint_url="http://engine"),
        error("InternalServerError", ResponseMetadata={"HTTPStatusCode": 500}),
    ]

    def fail(name: str, _: dict[str, Any]) -> None:
        if name == work.request and faults:
            raise faults.pop(0)

    work.engine.before = fail
    output = work.run()
    assert (output["throttles"], output[work.wrong], work.done(), faults) == (2, 0, 45, [])


def test_a_budget_stops_the_job_and_resume_continues_without_paying_twice(work: Job) -> None:
    work.load(100)
    before = work.done()
    stopped = work.run("small", workers=1, max_write_units=30)
    assert stopped["error"] == "BudgetError"
    assert '"resume": "small"' in stopped["cause"]
    assert 30 <= work.done() - before < 30 + 16
    output = work.run("later", resume="small")
    assert (output[work.noun], output["items"], work.done()) == ("small", 105, 105)
    assert output[work.written] == output["write_units"] == 105 - before


def test_a_batch_repeated_before_its_commit_finds_all_done(work: Job) -> None:
    work.load(60)
    planned = work.job.planned({**work.asked, **WRITING, "workers": 1})
    first = work.job.turn(planned, 0, None)
    for name in work.job.objects("/failed/"):  # as if the function had died right before its commit
        work.job.s3.delete_object(Bucket="results", Key=name)
    again = work.job.turn(planned, 0, None)["counts"]
    # dynalite does not hand out the item that a condition failed on: a copy has the replicator look at each.
    assert (sum(again[count] for count in work.right), again[work.written]) == (first["counts"]["items"], 0)
    reports = [list(work.job.turns(planned, 0))[-1]["report"]]
    assert (work.job.finished(planned, reports)["items"], work.done()) == (65, 65)


def test_a_table_without_point_in_time_recovery_is_refused_by_default(work: Job) -> None:
    work.load()
    work.engine.recovery = "DISABLED"
    recovery = f'point-in-time recovery of table "{work.written_to}"'
    answered(work.run("refused"), TableError, recovery, remedy={"without_recovery": True})
    assert work.explained()["point_in_time_recovery"] is False
    assert "error" not in work.run("told", without_recovery=True)
    assert work.done() == 5


def test_two_readers_of_the_table_s_stream_are_a_warning(work: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    work.load(1)
    configure(monkeypatch, work.job, followers={work.table: ["keeper", "other"]})
    (warning,) = work.explained()["warnings"]
    assert "a trigger of your own would be the third" in warning


def test_vector_indexes_cost_more_than_the_plan_says_and_the_plan_says_so(work: Job) -> None:
    work.load(1)
    assert work.explained()["warnings"] == []
    work.engine.more = {work.written_to: vectors("by-meaning", "by-sound")}
    (warning,) = work.explained("with")["warnings"]
    assert "(by-meaning, by-sound). DynamoDB bills writes to them by the byte" in warning
