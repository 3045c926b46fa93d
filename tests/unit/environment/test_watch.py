"""A status shows what is committed by the time of the look, to the newest batch."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from skipscan.aws.bucket import Bucket
from skipscan.environment.execution import Execution
from skipscan.environment.status import State, Status
from skipscan.environment.watch import Archive, Watch
from skipscan.errors import StateError
from skipscan.lines.formats import STORED
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.kind import Failure, progress_to_json
from skipscan.loop.layout import WORKER
from skipscan.loop.results import Results
from skipscan.loop.work import FORM, MANIFEST_FORM, ExecutionId
from skipscan.scan.progress import first_progress
from skipscan.stored.stored_work import StoredWork
from tests.fakes.s3 import FakeS3
from tests.refusal import refused
from tests.unit.environment.test_status import TABLE

START = datetime(2026, 1, 1, tzinfo=UTC)


def reached(status: Status) -> dict[int, int]:
    """Return the batches that each worker has committed."""
    found = status.moment.reached if status.moment else {}
    return {worker: progress.batch for worker, progress in found.items() if progress}


def started(client: Any, name: str, plan: Any, minutes: int = 0) -> Results:
    """Return the results of a run that is planned."""
    results = Results(Bucket(client, "bucket"), LISTING.layout("skipscan", "Orders", name))
    at = (START + timedelta(minutes=minutes)).isoformat()
    results.put_plan(LISTING.new_work(ExecutionId(name, "arn", at), plan).to_json())
    return results.named(LISTING.suffix(plan), WORKER)


def commit(results: Results, plan: Any, worker: int = 0, batch: int = 0) -> None:
    part = LISTING.part(plan)
    part.write([{"S": "a"}])
    progress = replace(first_progress(plan, worker), batch=batch + 1)
    results.commit(worker, batch, part, progress_to_json(progress, plan), "attempt")


def test_every_look_shows_each_worker_s_newest_commit_and_reads_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_listing(parse({"table": "Orders", "workers": 2, "segments": 2}), TABLE)
    results, executions = started(FakeS3("bucket"), "run-1", plan), cast(Any, None)
    of, batches, read = Results.of, Results.batches, list[tuple[int, ...]]()

    def timed(self: Results) -> dict[tuple[int, int], tuple[str, datetime]]:
        return {(w, b): (name, START + timedelta(minutes=b, seconds=w)) for (w, b), (name, _) in batches(self).items()}

    def noted(self: Results, *place: int) -> Any:
        read.append(place)
        return of(self, *place)

    monkeypatch.setattr(Results, "of", noted)
    monkeypatch.setattr(Results, "batches", timed)
    watch = Watch(StoredWork(LISTING, results), executions, None)
    assert reached(watch.look()) == {}
    for parts, fresh in (([1, 0], [(0, 0)]), ([2, 1], [(0, 1), (1, 0)]), ([2, 1], []), ([5, 2], [(0, 4), (1, 1)])):
        for place in ((worker, batch) for worker, count in enumerate(parts) for batch in range(count)):
            commit(results, plan, *place)
        read.clear()
        status = watch.look()
        assert reached(status) == {worker: count for worker, count in enumerate(parts) if count}
        assert sorted(read) == fresh
        assert status.moment
        assert status.moment.committed == START + timedelta(minutes=parts[0] - 1)


def test_each_work_of_an_archive_is_in_the_state_that_its_objects_show() -> None:
    plan, client, executions = plan_listing(parse({"table": "Orders"}), TABLE), FakeS3("bucket"), None
    names = ("planned", "stopped", "running", "finished")
    planned, stopped, running, finished = (started(client, name, plan, n) for n, name in enumerate(names))
    for results in (stopped, running, finished):
        commit(results, plan)
    ending = {"form": MANIFEST_FORM, "complete": True, "execution": "arn", "identity": {"arn": plan.identity.arn}}
    finished.put_manifest(ending)
    failures = [Failure(1, batch, START.isoformat(), "BatchError", "cause") for batch in (0, 1)]
    for results in (running, finished):
        results.put_failure(failures[0])
        results.put_failure(failures[1])
    archive = Archive(LISTING, planned.other("any"), plan.identity.arn)
    under_way = Execution("running", "arn", "RUNNING", START, {})
    found = archive.statuses(archive.all(), {"running": under_way})
    assert {one.name: (one.state, one.execution) for one in found} == {
        "finished": (State.FINISHED, None),
        "running": (State.RUNNING, under_way),
        "stopped": (State.UNFINISHED, None),
        "planned": (State.PLANNED, None),
    }
    assert [one.name for one in found] == ["finished", "running", "stopped", "planned"], "the newest first"
    assert [one.plan is not None and one.manifest is None for one in found] == [False, True, True, True]
    assert [manifest["execution"] for manifest in archive.finished()] == ["arn"]
    aws: Any = executions
    looks = {one.layout.name: Watch(StoredWork(LISTING, one), aws, None).look() for one in (running, finished)}
    assert {name: look.failures for name, look in looks.items()} == {"running": failures[1:], "finished": ()}
    assert Archive(LISTING, planned.other("any"), "another").all() == []


def test_a_checkpoint_of_another_version_is_refused() -> None:
    plan = plan_listing(parse({"table": "Orders"}), TABLE)
    results, part = started(FakeS3("bucket"), "run-1", plan), LISTING.part(plan)
    older = {**progress_to_json(first_progress(plan, 0), plan), "form": FORM - 1}
    results.commit(0, 0, part, older, "attempt")
    with refused(StateError, "the checkpoint of batch 0 of worker 0", rule=f"has form {FORM - 1}"):
        results.of(0, 0)


@pytest.mark.parametrize("form", STORED)
def test_a_run_under_way_is_read_in_each_format(form: str) -> None:
    """The names of its parts end as the format says."""
    plan = plan_listing(parse({"table": "Orders", "format": form}), TABLE)
    results = started(FakeS3("bucket"), "run-1", plan)
    commit(results, plan)
    executions: Any = None
    watched = Watch(StoredWork(LISTING, results), executions, None).look()
    assert reached(watched) == {0: 1}
