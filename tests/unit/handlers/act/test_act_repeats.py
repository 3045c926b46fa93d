"""What a job repeats after a crash, and what a repeat leaves alone."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.aws.bucket import Bucket
from skipscan.errors import BatchError
from tests.fakes.attribute_value import Item
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import KEYS, MARKER, QUEUE, TARGET, Acting
from tests.refusal import failed

pytestmark = [pytest.mark.usefixtures("run_over_table"), pytest.mark.slow]


def crash_at_the_commit(acting: Acting, planned: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do a first turn of worker 0 that dies before its batch is committed."""
    put_once = Bucket.put_once

    def dies(self: Bucket, name: str, *rest: Any, **others: Any) -> bool:
        if "/failed/" in name:
            raise ConnectionError("crashed here")
        return put_once(self, name, *rest, **others)

    with monkeypatch.context() as patched:
        patched.setattr(Bucket, "put_once", dies)
        with failed(BatchError, "ConnectionError"):
            acting.turn(planned, 0, None)


def test_a_repeated_overwrite_leaves_what_the_application_has_set_since(
    acting: Acting, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = dynamodb.table("T-1")
    for key in range(KEYS):
        table.put({"pk": {"S": str(key)}, "sk": {"S": "#static"}, "old": {"BOOL": True}})
    action = {"put_item": {**MARKER, "overwrite": True}}
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "workers": 1, **action})
    crash_at_the_commit(acting, planned, monkeypatch)
    written = [item for item in table.items() if item["sk"]["S"] == "#static" and "old" not in item]
    assert 0 < len(written) < KEYS
    changed: list[Item] = [{**item, "balance": {"N": "7"}} for item in written]
    for item in changed:
        table.put(item)
    report = list(acting.turns(planned, 0))[-1]["report"]
    output = acting.finished(planned, [report])
    assert (output["put"], output["keys"]) == (KEYS, KEYS)
    assert [table.get(item) for item in changed] == changed
    assert not any("old" in item for item in table.items())


def test_a_crash_repeats_no_more_keys_than_the_plan_says(
    acting: Acting, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skipscan.act.plan.REPEATED_KEYS", 5)
    monkeypatch.setattr("skipscan.act.plan.THREADS", 1)
    function = acting.worker.function
    monkeypatch.setattr(function, "settings", replace(function.settings, batch_pages=None))
    table = dynamodb.table("T-1")
    action = {"delete_item": {"key": {"sk": "1"}}}
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "workers": 1, **action})
    assert planned["work"]["plan"]["repeated_keys"] == 5
    crash_at_the_commit(acting, planned, monkeypatch)
    gone = [pk for pk in map(str, range(KEYS)) if not table.get({"pk": {"S": pk}, "sk": {"S": "1"}})]
    assert len(gone) == 5
    states = list(acting.turns(planned, 0))
    assert [state["counts"]["keys"] for state in states] == [5, 10, 15, 20, KEYS]
    output = acting.finished(planned, [states[-1]["report"]])
    assert (output["deleted"], output["absent"]) == (KEYS - 5, 5)


@pytest.mark.parametrize(
    ("action", "is_idempotent", "keys"),
    [
        ({"put_item": MARKER}, True, 100_000),
        ({"put_item": {**MARKER, "overwrite": True}}, False, 1_000),
        ({"delete_item": {"key": {"sk": "1"}}}, False, 1_000),
        ({"delete_item": {"key": {"sk": "1"}, "if": {"state": "closed"}}}, True, 100_000),
        ({"invoke": {"function": TARGET, "keys_per_call": 100}}, False, 1_600),
        ({"send": {"queue": QUEUE}}, False, 1_000),
    ],
)
def test_a_dry_run_says_what_a_crash_may_repeat(acting: Acting, action: Any, is_idempotent: bool, keys: int) -> None:
    asked = {"table": "T-1", "run": "run-1", **action}
    assert acting.planned({**asked, "dry_run": False}, "real")["work"]["plan"]["repeated_keys"] == keys
    explanation = acting.planned(asked)["explanation"]
    assert (explanation["idempotent"], explanation["repeated_keys_per_worker"]) == (is_idempotent, KEYS)
    assert explanation["repeat_means"]
