"""What is asked of Step Functions about the executions of a machine."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from skipscan.aws.bucket import Bucket
from skipscan.environment.execution import Execution
from skipscan.environment.executions import Executions
from skipscan.environment.status import State
from skipscan.environment.watch import Archive
from skipscan.errors import InputError
from skipscan.listing.kind import LISTING
from skipscan.loop.results import Results
from skipscan.loop.work import FORM, ExecutionId
from tests.fakes.pages import paged
from tests.fakes.s3 import FakeS3
from tests.fakes.small_table import DESCRIPTION, reading
from tests.refusal import refused
from tests.unit.environment.test_status import with_stored

NOW = datetime(2026, 11, 1, tzinfo=UTC)
MACHINE = "arn:aws:states:us-east-1:000000000000:stateMachine:skipscan-dev-copy"


def test_workers_are_counted_in_every_state_in_which_they_can_be() -> None:
    counts = {"pending": 1, "running": 2, "succeeded": 3, "failed": 4, "timedOut": 5, "aborted": 6, "total": 21}
    client: Any = SimpleNamespace(
        list_map_runs=lambda **_: {"mapRuns": [{"mapRunArn": "run"}]},
        describe_map_run=lambda **_: {"executionCounts": counts},
    )
    execution: Any = SimpleNamespace(arn="arn")
    workers = Executions(client, MACHINE).workers(execution)
    assert workers is not None
    assert {**workers, "total": 21} == counts


ORDERS = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"
EXECUTION = Execution("monday", f"{MACHINE}:monday".replace("stateMachine", "execution"), "RUNNING", NOW, {})


class Recording:
    """Step Functions with executions by name. `asked`: every call's name and parameters."""

    def __init__(self, **executions: Mapping[str, Any]) -> None:
        self.executions = {
            EXECUTION.arn.replace("monday", name.replace("_", "-")): {
                **{"name": name.replace("_", "-"), "status": "FAILED", "startDate": NOW, "input": "{}"},
                **one,
            }
            for name, one in executions.items()
        }
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self.exceptions = SimpleNamespace(ExecutionDoesNotExist=LookupError, ExecutionAlreadyExists=FileExistsError)

    def __getattr__(self, name: str) -> Callable[..., Mapping[str, Any]]:
        def call(**parameters: Any) -> Mapping[str, Any]:
            self.asked.append((name, parameters))
            answer: Mapping[str, Any] = getattr(self, f"_{name}")(**parameters)
            return answer

        return call

    def _list_executions(self, **_: Any) -> Mapping[str, Any]:
        return {"executions": [{**one, "executionArn": arn} for arn, one in self.executions.items()]}

    def _describe_execution(self, *, executionArn: str) -> Mapping[str, Any]:  # noqa: N803 (theirs)
        if executionArn not in self.executions:
            raise LookupError
        return {**self.executions[executionArn], "executionArn": executionArn}

    def _start_execution(self, *, name: str, **_: Any) -> Mapping[str, Any]:
        if f"{EXECUTION.arn.removesuffix('monday')}{name}" in self.executions:
            raise FileExistsError
        return {"executionArn": EXECUTION.arn, "startDate": NOW}

    def _stop_execution(self, **_: Any) -> Mapping[str, Any]:
        return {}


def over(client: Recording) -> Executions:
    aws: Any = client
    return Executions(aws, MACHINE)


def test_a_started_execution_has_its_input_with_every_letter() -> None:
    client = Recording()
    begun = over(client).start("monday", {"table": "Größen"})
    assert begun == Execution("monday", EXECUTION.arn, "RUNNING", NOW, {"table": "Größen"})
    assert client.asked == [
        ("start_execution", {"stateMachineArn": MACHINE, "name": "monday", "input": '{"table": "Größen"}'})
    ]
    with refused(InputError, "the name", "tuesday", rule="exists", way="another name"):
        over(Recording(tuesday={})).start("tuesday", {})


@pytest.mark.parametrize(
    ("status", "output", "found"),
    [
        ("SUCCEEDED", '{"keys": 5}', {"keys": 5}),
        ("SUCCEEDED", "", None),
        ("FAILED", '{"Error": "a"}', None),
        ("RUNNING", None, None),
    ],
)
def test_an_execution_is_found_by_its_name_with_the_output_of_a_success(
    status: str, output: str | None, found: Any
) -> None:
    one = {"status": status, "input": '{"table": "Orders"}', "error": "BatchError", "cause": "no answer"}
    client = Recording(monday=one if output is None else {**one, "output": output})
    machine = over(client)
    assert machine.named("monday") == Execution(
        "monday", EXECUTION.arn, status, NOW, {"table": "Orders"}, "BatchError", "no answer", found
    )
    assert client.asked == [("describe_execution", {"executionArn": EXECUTION.arn})]
    assert machine.named("tuesday") is None


def test_those_that_ended_early_are_over_the_table_unknown_and_no_success() -> None:
    ours = {"input": '{"table": "Orders"}'}
    client = Recording(
        **{"failed": ours, "aborted": {**ours, "status": "ABORTED"}, "well": {**ours, "status": "SUCCEEDED"}},
        **{"under_way": {**ours, "status": "RUNNING"}, "other": {"input": '{"table": "Other"}'}, "known": ours},
        **{"resuming": {"input": '{"table": "Orders", "resume": "known"}'}, "elsewhere": {"input": '{"table": "a b"}'}},
    )
    assert [one.name for one in over(client).ended_early(ORDERS, {"known"})] == ["failed", "aborted"]
    assert client.asked[0] == ("list_executions", {"stateMachineArn": MACHINE, "maxResults": 100})
    described = sorted(parameters["executionArn"].rpartition(":")[2] for _, parameters in client.asked[1:])
    assert described == ["aborted", "elsewhere", "failed", "other", "resuming"]


def test_the_last_execution_of_work_is_the_newest_that_resumed_it() -> None:
    later, resumes = NOW + timedelta(minutes=1), '{"table": "Orders", "resume": "monday"}'
    client = Recording(
        **{"of_other_table": {"startDate": later, "input": resumes.replace("Orders", "Other")}},
        **{"of_other_work": {"startDate": later, "input": '{"table": "Orders"}'}},
        **{"newest": {"startDate": later, "input": resumes}, "newer": {"startDate": later, "input": resumes}},
    )
    assert over(client).last(EXECUTION, ORDERS).name == "newest"
    assert client.asked[0] == ("list_executions", {"stateMachineArn": MACHINE, "maxResults": 100})
    assert len(client.asked) == 4
    none = Recording(earlier={"startDate": NOW, "input": resumes}, newer={"startDate": later, "input": resumes})
    assert over(none).last(EXECUTION, ORDERS) is EXECUTION
    assert len(none.asked) == 1


def test_the_last_end_since_a_moment_is_that_of_an_execution_that_counts() -> None:
    at = [NOW + timedelta(minutes=minutes) for minutes in range(5)]
    client = Recording(
        **{"before": {"stopDate": at[0]}, "copy_1": {"stopDate": at[4]}, "running": {}, "ours": {"stopDate": at[2]}},
        **{"copy_2": {"stopDate": at[3]}, "sooner": {"stopDate": at[1]}},
    )

    def is_copy(one: Execution) -> bool:
        return one.name.startswith("copy")

    assert over(client).last_ended(NOW, besides=is_copy) == at[2]
    assert client.asked[0] == ("list_executions", {"stateMachineArn": MACHINE, "maxResults": 1000})
    # The last ended one first, and none that ended before.
    assert [asked["executionArn"].rpartition(":")[2] for _, asked in client.asked[1:]] == ["copy-1", "copy-2", "ours"]
    assert over(client).last_ended(at[4], besides=is_copy) is None
    assert over(client).last_ended(at[2], besides=is_copy) is None


def test_an_execution_is_stopped_with_words_that_say_who_did_it() -> None:
    client = Recording()
    over(client).stop(EXECUTION)
    said = {"error": "Stopped", "cause": "stopped by `skipscan stop`"}
    assert client.asked == [("stop_execution", {"executionArn": EXECUTION.arn, **said})]


STARTED = "2026-01-01T00:00:00+00:00"
MANIFEST = {"form": FORM, "started": STARTED, "complete": True}


def test_the_status_of_finished_work_leads_to_its_manifest_and_its_report() -> None:
    storage = FakeS3("bucket")
    bucket = Bucket(cast(Any, storage), "bucket")
    arn = str(DESCRIPTION["TableArn"])
    work = LISTING.new_work(ExecutionId("run-1", "arn:aws:states:us-east-1:1:execution:m:run-1", STARTED), reading())
    root = LISTING.layout("skipscan", "Audit", "run-1").root
    for name, document in {"plan": work.to_json(), "manifest": {**MANIFEST, "execution": work.execution.arn}}.items():
        storage.put_object(Bucket="bucket", Key=f"{root}{name}.json", Body=json.dumps(document).encode())
    storage.put_object(Bucket="bucket", Key=f"{root}report.html", Body=b"<html>")
    archive = Archive(LISTING, Results(bucket, LISTING.layout("skipscan", "Audit", "any")), arn)
    storage.put_object(Bucket="bucket", Key=root.replace("run-1", "old") + "plan.json", Body=b'{"form": 1}')
    [entry], [old] = archive.entries(), [work for work in archive.all() if archive.has(work) is None]
    assert archive.status(old, {}).state == State.UNREADABLE
    status = archive.status(entry, {})
    assert status.manifest_uri == f"s3://bucket/{root}manifest.json"
    assert status.report == archive.work("run-1").results.report_link(MANIFEST | {"execution": work.execution.arn})
    unfinished = replace(with_stored(status, ending=None), state=State.RUNNING).to_json()
    assert (unfinished["manifest"], unfinished["report"]) == (None, status.report)


# Every list of AWS may have a second page, and what matters may be on it.


def test_running_and_newest_executions_are_found_on_any_page() -> None:
    tables = {"of_other": "Other", "of_verify": "skipscan-verify-dev-run", "one": "Orders", "two": "Orders"}
    client = Recording(
        **{name: {"status": "RUNNING", "input": json.dumps({"table": table})} for name, table in tables.items()}
    )

    def on_pages() -> Executions:
        client.asked.clear()
        names = ("list_executions", "describe_execution")
        answers = {name: lambda asked, name=name: getattr(client, name)(**asked) for name in names}
        return over(paged("stepfunctions", **answers))

    assert [one.name for one in on_pages().running(ORDERS)] == ["one", "two"]
    assert client.asked[0] == ("list_executions", {"stateMachineArn": MACHINE, "statusFilter": "RUNNING"})
    assert [one.name for one in on_pages().latest(3)] == ["of-other", "one"]  # until there are enough
    assert client.asked[0] == ("list_executions", {"stateMachineArn": MACHINE, "maxResults": 3})
