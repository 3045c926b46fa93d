"""What a job refuses: inputs, tables, runs and parts that do not fit."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.act.kind import ACT
from skipscan.errors import IncompleteRunError, InputError, TableError
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
from tests.fakes.handlers.acting import (
    KEYS,
    MARKER,
    MARKERS,
    SCHEMA,
    TARGET,
    Acting,
    Receiver,
    markers,
)
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.refusal import answered, refused

pytestmark = [pytest.mark.usefixtures("run_over_table"), pytest.mark.slow]


RECOVERY = 'point-in-time recovery of table "T-1"'


def test_refuses_a_target_that_the_environment_does_not_allow(acting: Acting, listing: Machine) -> None:
    rule = f'"{TARGET}-2"; the targets of table "T-1"'
    answered(acting.act(invoke={"function": f"{TARGET}-2"}), TableError, "invoke", rule=rule)
    assert listing.objects("/acts/") == []


@pytest.mark.parametrize(
    ("document", "field", "remedy", "rule"),
    [
        ({"put_item": MARKER, "run": "nobody"}, "run", "", 'table "T-1" has no finished run'),
        ({"put_item": MARKER, "max_write_units": 1}, "max_write_units", "", "at least 2, because a request"),
        ({"invoke": {"function": TARGET}, "max_write_units": 5.0}, "max_write_units", "max_keys_per_second", "invoke"),
        ({"undo": "nobody"}, "undo", "put_item delete_listed", "no act"),
    ],
)
def test_refuses_a_value(
    *, acting: Acting, listing: Machine, document: dict[str, Any], field: str, remedy: str, rule: str
) -> None:
    answered(acting.act(**document), InputError, field, document[field], remedy, rule=rule)
    assert listing.objects("/acts/") == []


def test_refuses_tables_and_runs_that_do_not_fit(acting: Acting, listing: Machine, dynamodb: FakeDynamoDB) -> None:
    of_run = "skipscan/{}/runs/run-1/manifest.json"
    listing.s3.objects[of_run.format("Other")] = listing.s3.objects[of_run.format("T-1")]
    dynamodb.add(TableDefinition("Other", SCHEMA))
    other = acting.act(table="Other", put_item=MARKER)
    answered(other, TableError, 'run is "run-1"; that run', rule="belongs to table .*table/T-1; .*table/Other$")
    listing.run({"table": "Other"}, name="own")
    way = '"writing": {"Other": {"act": true}}'
    answered(acting.act(table="Other", run="own", put_item=MARKER), TableError, "table", "Other", way=way)
    acting.act(put_item=MARKER)
    listing.run({"table": "T-1", "index": "markers"}, name="index")
    refused = acting.act("j", run="index", put_item=MARKER)
    answered(refused, InputError, "the run", remedy="skip_ended", rule=r"an index, .* keys \(pk\)$")
    acting.worker.lambda_ = Receiver()
    assert acting.act("k", run="index", invoke={"function": TARGET})["sent"] == KEYS
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("id", "S"), ("sk", "S"))))
    answered(acting.act("l", put_item=MARKER), InputError, "the run", remedy="skip_ended", rule=r" keys \(id\)$")


def test_a_write_requires_point_in_time_recovery_by_default(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(TableDefinition("T-1", SCHEMA, has_recovery=False))
    answered(acting.act(put_item=MARKER), TableError, RECOVERY, remedy={"without_recovery": True})
    dry = acting.planned({"table": "T-1", "run": "run-1", "put_item": MARKER}, "dry")
    assert dry["explanation"]["point_in_time_recovery"] is False
    assert acting.act(put_item=MARKER, without_recovery=True)["put"] == KEYS


def test_a_write_to_a_global_table_requires_that_nobody_writes_elsewhere(
    acting: Acting, dynamodb: FakeDynamoDB
) -> None:
    replicas = [{"RegionName": "eu-west-1"}]
    acting.plan.dynamodb = described(dynamodb, lambda table: table.update(Replicas=replicas))
    answered(acting.act(put_item=MARKER), TableError, 'table "T-1"', remedy={"no_writes_elsewhere": True})
    acting.worker.lambda_ = Receiver()
    assert acting.act("sent", invoke={"function": TARGET})["sent"] == KEYS
    assert acting.act("told", put_item=MARKER, no_writes_elsewhere=True)["put"] == KEYS


def test_only_a_put_can_be_undone(acting: Acting) -> None:
    acting.act("deleted", delete_item={"key": {"sk": "1"}})
    refused = acting.act("u", undo="deleted")
    assert (refused["error"], 'undo is "deleted"; that act was delete_item' in refused["cause"]) == ("InputError", True)


def test_a_resumed_act_needs_what_a_new_one_needs(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert acting.act("stopped", put_item=MARKER, max_write_units=2)["error"] == "BudgetError"
    listing.run({"table": "T-1"}, name="run-2")
    resumed = {"table": "T-1", "run": "run-1", "resume": "stopped"}
    other = acting.planned({**resumed, "run": "run-2"}, "r-1")
    answered(other, InputError, "run", "run-2", rule='^act "stopped" .* "run-1"$')
    table = dynamodb.table("T-1")
    with monkeypatch.context() as patch:
        patch.setattr(table, "definition", replace(table.definition, has_recovery=False))
        answered(acting.planned(resumed, "r-2"), TableError, RECOVERY, remedy={"without_recovery": True})
    without_meaning = acting.planned({**resumed, "max_keys_per_second": 5.0}, "r-3")
    answered(without_meaning, InputError, "max_keys_per_second", 5.0, "max_write_units_per_second", rule="writing")
    bounds = {"max_write_units_per_second": 7.0, "max_write_units": 50.0, "max_dollars": 3.0}
    plan = ACT.work(acting.planned({**resumed, **bounds}, "r-4")["work"]).plan
    assert {"max_write_units_per_second": plan.max_units_per_second, **plan.bounds} == bounds


def test_an_undo_is_of_a_job_over_the_same_run_and_table(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    acting.act("put", put_item=MARKER)
    listing.run({"table": "T-1"}, name="run-2")
    refused = acting.planned({"table": "T-1", "run": "run-2", "undo": "put"}, "u-1")
    answered(refused, InputError, "run", "run-2", rule='^act "put" .* "run-1"$')
    dynamodb.add(ANEW, [{"pk": {"S": "1"}, "sk": {"S": "0"}}])
    listing.run({"table": "T-1"}, name="run-3")
    plan = "skipscan/T-1/acts/put/plan.json"
    listing.s3.objects[plan] = replace(listing.s3.objects[plan], body=listing.read(plan).replace(b"run-1", b"run-3"))
    refused = acting.planned({"table": "T-1", "run": "run-3", "undo": "put"}, "u-2")
    answered(refused, TableError, 'undo is "put"; that act', rule="no longer exists")


ANEW = TableDefinition("T-1", SCHEMA, (MARKERS,), id="11111111-1111-1111-1111-111111111111")


def test_a_run_over_a_recreated_table_is_refused(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    acting.act("before", put_item=MARKER, max_write_units=20)
    dynamodb.add(ANEW, [{"pk": {"S": "new"}, "sk": {"S": "0"}}])
    for document in ({"put_item": MARKER}, {"invoke": {"function": TARGET}}, {"undo": "before"}):
        answered(acting.act("after", **document), TableError, 'run is "run-1"; that run', rule="no longer exists")
    resumed = acting.planned({"table": "T-1", "run": "run-1", "resume": "before"}, "after")
    answered(resumed, TableError, 'run is "run-1"; that run', rule="no longer exists")
    assert len(dynamodb.table("T-1").items()) == 1


@pytest.mark.parametrize("action", [{"put_item": MARKER}, {"invoke": {"function": TARGET}}])
def test_nothing_is_done_by_a_part_that_is_not_what_the_manifest_says(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB, action: Any
) -> None:
    receiver = acting.worker.lambda_ = Receiver()
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, **action})
    (name,) = listing.objects("/run-1/keys/")[:1]
    other = listing.read(name)[::-1][1:] + b"\n"
    listing.s3.put_object(Bucket=BUCKET, Key=name, Body=other)
    with refused(IncompleteRunError, name, rule="SHA-256"):
        list(acting.turns(planned, 0))
    assert (markers(dynamodb), receiver.events) == (set(), [])


def test_an_act_does_not_go_on_over_another_run_of_the_same_name(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    """The run's results were deleted, and its name was used again: the act's place means nothing in the new parts."""
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "workers": 1, "put_item": MARKER})
    state = acting.turn(planned, 0, None)
    before = markers(dynamodb)
    assert 0 < len(before) < KEYS
    for name in listing.objects("/run-1/"):
        del listing.s3.objects[name]
    dynamodb.table("T-1").put({"pk": {"S": "another"}, "sk": {"S": "0"}})
    assert listing.run({"table": "T-1"}, "run-1")["keys"] == KEYS + 1
    said = r'act "job-1" belongs to an earlier run '
    with refused(InputError, "run", "run-1", rule=said):
        acting.turn(planned, 0, state)
    for asked in ({"resume": "job-1"}, {"undo": "job-1", "dry_run": False}):
        answer = acting.planned({"table": "T-1", "run": "run-1", **asked}, "another")
        answered(answer, InputError, "run", "run-1", rule=said)
    assert markers(dynamodb) == before


def test_an_act_whose_run_s_manifest_has_expired_says_so(acting: Acting, listing: Machine) -> None:
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "workers": 1, "put_item": MARKER})
    (manifest,) = listing.objects("/run-1/manifest.json")
    del listing.s3.objects[manifest]
    with refused(IncompleteRunError, 'run "run-1"', rule="no manifest"):
        acting.turn(planned, 0, None)


def test_refuses_a_run_of_groups_within_item_collections(acting: Acting, listing: Machine) -> None:
    listing.run({"table": "T-1", "prefix_length": 1}, name="groups")
    refused = acting.act(run="groups", put_item=MARKER)
    answered(refused, InputError, "run", "groups", "delimiter prefix_length", rule="groups")
