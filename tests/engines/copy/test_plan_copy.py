"""Plan copy: what must not start, and what a dry run says."""

from itertools import pairwise
from typing import Any

import pytest

from local import audit_table
from local import table as tables
from tests.engines.copy.conftest import Copied

pytestmark = pytest.mark.xdist_group("dynalite")


def refusal(copied: Copied, **document: Any) -> str:
    output = copied.copy(**document)
    assert set(output) == {"error", "cause", "refusal"}
    assert not [name for name, _ in copied.engine.requests if name in ("scan", "put_item")]
    return f"{output['error']}: {output['cause']}"


def test_a_job_without_dry_run_false_is_a_dry_run(copied: Copied) -> None:
    copied.load(45)
    explained = copied.job.explained(table=copied.table, to=copied.to)
    assert (explained["items"], explained["items_are"]) == (50, "counted")
    assert explained["write_units_per_put"] == {"table": 1.0, audit_table.INDEX: 1.0}
    assert (explained["write_units"], explained["each_later_change"]["write_units"]) == (100.0, 2.0)
    assert explained["dollars"]["total"] > 0
    assert explained["prices"]["write_units"]["as_of"]
    assert copied.target == {}


def test_unset_items_are_reported_with_the_missing_attribute(copied: Copied) -> None:
    copied.load(0, {"id": {"S": "lacks"}, "resourceId": {"S": "1"}})
    explained = copied.job.explained(table=copied.table, to=copied.to)
    assert explained["sample"]["unset_because"] == {"action is lacking": 1}


def test_a_table_that_the_environment_copies_nowhere_is_refused(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copied.job.plan, "replicas", [])
    assert '"copy": {"to"' in refusal(copied)


def test_another_target_than_the_environment_s_is_refused(copied: Copied) -> None:
    assert f'copies table "{copied.table}" to {copied.to}' in refusal(copied, to="Elsewhere")


def test_a_table_without_a_stream_is_refused(copied: Copied) -> None:
    copied.engine.has_stream = False
    assert "has no stream" in refusal(copied)


def test_a_stream_that_the_replicator_does_not_follow_is_refused(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan: Any = copied.job.plan
    (replica,) = plan.replicas
    monkeypatch.setattr(plan, "replicas", [{**replica, "stream": "arn:older"}])
    assert "has a new stream" in refusal(copied)


@pytest.mark.parametrize("state", ["Disabling", "Disabled"])
@pytest.mark.parametrize("document", [{}, {"dry_run": True}, {"create": True}])
def test_a_copy_after_a_cut_over_is_refused(copied: Copied, state: str, document: dict[str, Any]) -> None:
    """It would put back what the new table's writers have deleted since."""
    copied.load(5)
    copied.mappings.states["mapping-2"] = state
    said = refusal(copied, **document)
    assert f'would put back items that the writers of "{copied.to}" delete' in said
    assert "`aws lambda update-event-source-mapping --uuid mapping-2 --enabled`" in said
    assert "mapping-1" not in said


def test_a_stopped_copy_cannot_be_resumed_after_a_cut_over(copied: Copied) -> None:
    copied.load(20)
    assert "resume" in copied.copy("stopped", max_write_units=8, workers=1)["cause"]
    copied.mappings.states["mapping-1"] = "Disabled"
    before = copied.target
    assert "as a cut-over leaves it" in copied.copy("later", resume="stopped")["cause"]
    assert copied.target == before


def test_a_cut_over_s_own_comparison_starts_with_the_replicator_switched_off(copied: Copied) -> None:
    copied.load(5)
    copied.mappings.states = dict.fromkeys(copied.mappings.states, "Disabled")
    assert copied.copy(compare_only=True)["missing"] == len(copied.source)


def test_a_replicator_that_is_being_switched_on_is_on(copied: Copied) -> None:
    copied.load(5)
    copied.mappings.states = {"mapping-1": "Enabling", "mapping-2": "Updating"}
    assert copied.copy()["copied"] == len(copied.source)


def test_a_replicator_without_its_mapping_is_refused(copied: Copied) -> None:
    del copied.mappings.states["mapping-1"]
    assert "an event source mapping of its replicator was deleted" in refusal(copied)


def test_a_target_with_other_keys_is_refused(copied: Copied) -> None:
    client = copied.engine.client
    client.delete_table(TableName=copied.to)
    client.get_waiter("table_not_exists").wait(TableName=copied.to, WaiterConfig={"Delay": 1, "MaxAttempts": 600})
    tables.create(
        client,
        TableName=copied.to,
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "N"}],
        BillingMode="PAY_PER_REQUEST",
    )
    assert f'has the key id (N); table "{copied.table}" has id (S)' in refusal(copied)


def test_a_target_without_recovery_is_refused_by_default(copied: Copied) -> None:
    copied.load()
    copied.engine.recovery = "DISABLED"
    assert f'point-in-time recovery of table "{copied.to}" is off' in refusal(copied)
    assert copied.copy("told", without_recovery=True)["copied"] == 5


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"to": None}, "to is missing"),
        ({"to": "a b"}, "it must be a table's name"),
        ({"set": {"a": "{b}"}}, '"set" is not a field of the input'),
        ({"compare_items": 0}, "a verification compares 1 to 1000000000000"),
        ({"compare_only": True, "create": True}, "leave create out"),
        ({"compare_only": True, "verify": False}, "leave verify out"),
        ({"max_write_units": 0}, "at least 1"),
        ({"dry_run": "no"}, "it must be true or false"),
        ({"resume": "copy-9"}, "has no copy with this name"),
        ({"resume": "copy-9", "segments": 3}, "leave segments out"),
    ],
)
def test_bad_input_is_refused_with_the_field_and_the_way_out(
    copied: Copied, document: dict[str, Any], said: str
) -> None:
    assert said in refusal(copied, **document)


def test_workers_that_the_rate_does_not_allow_are_a_warning(copied: Copied) -> None:
    copied.load(20)
    rated = {"workers": 2, "max_write_units_per_second": 3}
    (warning,) = copied.job.explained(table=copied.table, to=copied.to, **rated)["warnings"]
    assert warning.startswith("The job uses 1 of the 2 requested workers")


def test_two_readers_of_the_source_s_stream_are_a_warning(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    copied.load(1)
    monkeypatch.setattr(copied.job.plan, "followers", {copied.table: ["keeper", "copy"]})
    (warning,) = copied.job.explained(table=copied.table, to=copied.to)["warnings"]
    assert "a trigger of your own would be the third" in warning


def test_a_target_with_vector_indexes_costs_more_than_the_plan_says_and_the_plan_says_so(copied: Copied) -> None:
    copied.load(1)
    copied.engine.vectors = {copied.to: ["by-meaning", "by-sound"]}
    asked = {"table": copied.table, "to": copied.to}
    (warning,) = copied.job.planned(asked, "copies")["explanation"]["warnings"]
    assert "(by-meaning, by-sound). DynamoDB bills writes to them by the byte" in warning
    assert copied.job.planned({**asked, "compare_only": True}, "compares")["explanation"]["warnings"] == []
    copied.engine.vectors = {copied.table: ["by-meaning"]}
    assert copied.job.planned(asked, "from")["explanation"]["warnings"] == []


def beside(copied: Copied, source: str, target: str) -> dict[str, Any]:
    """Return another pair of the environment."""
    plan: Any = copied.job.plan
    return {**plan.replicas[0], "source": source, "target": target}


@pytest.mark.parametrize("between", [(), ("Third",), ("arn:aws:dynamodb:us-east-1:000000000000:table/Third", "Fourth")])
def test_a_copy_that_comes_back_to_its_source_is_refused(
    copied: Copied, monkeypatch: pytest.MonkeyPatch, between: tuple[str, ...]
) -> None:
    """Each replicator would follow what the other writes, without end."""
    copied.load(1)
    way = (copied.to, *between, copied.table)
    others = [beside(copied, one, following) for one, following in pairwise(way)]
    monkeypatch.setattr(copied.job.plan, "replicas", [*copied.job.plan.replicas, *others])
    said = refusal(copied, dry_run=False)
    assert f'TableError: to is "{copied.to}"; this environment also copies it' in said
    assert "so each change would come back" in said
    assert copied.copy("compares", compare_only=True)["copied"] == 0


def test_a_chain_of_copies_that_does_not_come_back_is_none(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    copied.load(1)
    others = [beside(copied, copied.to, "Third"), beside(copied, "Other", "Another")]
    monkeypatch.setattr(copied.job.plan, "replicas", [*copied.job.plan.replicas, *others])
    assert copied.copy(verify=False)["copied"] == 6


def test_a_second_source_of_the_same_target_is_refused(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    other = beside(copied, "Other", f"arn:aws:dynamodb:us-east-1:000000000000:table/{copied.to}")
    monkeypatch.setattr(copied.job.plan, "replicas", [*copied.job.plan.replicas, other])
    assert 'this environment also copies table "Other" to it' in refusal(copied)


@pytest.mark.parametrize("keeper", ["keeper", "attribute_keeper"])
def test_a_target_that_a_keeper_writes_to_is_refused(
    copied: Copied, monkeypatch: pytest.MonkeyPatch, keeper: str
) -> None:
    monkeypatch.setattr(copied.job.plan, "followers", {copied.to: [keeper], copied.table: [keeper]})
    assert f'its "{keeper}" in this environment writes to it' in refusal(copied)


def test_a_target_that_retrofits_may_write_to_is_refused(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copied.job.plan, "retrofitted", [copied.table])
    copied.load(1)
    assert "error" not in copied.copy("source")
    copied.engine.requests.clear()
    monkeypatch.setattr(copied.job.plan, "retrofitted", [copied.to])
    assert 'its "retrofit" in this environment writes to it' in refusal(copied)


def test_a_target_that_has_a_stream_is_a_warning(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    """What other environments do with it is unknown here."""
    copied.load(1)
    copied.engine.streamless.clear()
    (warning,) = copied.job.explained(table=copied.table, to=copied.to)["warnings"]
    assert f'table "{copied.to}" has a stream' in warning
