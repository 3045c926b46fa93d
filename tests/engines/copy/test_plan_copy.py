"""Plan copy: what must not start, and what a dry run says."""

from itertools import pairwise
from typing import Any

import pytest

from local import audit_table
from local import table as tables
from skipscan.errors import InputError, TableError
from tests.engines.copy.conftest import Copied
from tests.refusal import answered

pytestmark = pytest.mark.xdist_group("dynalite")


def refusal(copied: Copied, **document: Any) -> dict[str, Any]:
    output = copied.copy(**document)
    assert set(output) == {"error", "cause", "refusal"}
    assert not [name for name, _ in copied.engine.requests if name in ("scan", "put_item")]
    return output


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
    answered(refusal(copied), TableError, "table", copied.table, way='"copy": {"to"')


def test_another_target_than_the_environment_s_is_refused(copied: Copied) -> None:
    rule = f'table "{copied.table}" to {copied.to}, '
    answered(refusal(copied, to="Elsewhere"), TableError, "to", "Elsewhere", rule=rule)


def test_a_table_without_a_stream_is_refused(copied: Copied) -> None:
    copied.engine.has_stream = False
    answered(refusal(copied), TableError, f'table "{copied.table}"', rule="no stream", way="KEYS_ONLY")


def test_a_stream_that_the_replicator_does_not_follow_is_refused(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan: Any = copied.job.plan
    (replica,) = plan.replicas
    monkeypatch.setattr(plan, "replicas", [{**replica, "stream": "arn:older"}])
    answered(refusal(copied), TableError, f'table "{copied.table}"', rule="new stream; .* arn:older$")


@pytest.mark.parametrize("state", ["Disabling", "Disabled"])
@pytest.mark.parametrize("document", [{}, {"dry_run": True}, {"create": True}])
def test_a_copy_after_a_cut_over_is_refused(copied: Copied, state: str, document: dict[str, Any]) -> None:
    """It would put back what the new table's writers have deleted since."""
    copied.load(5)
    copied.mappings.states["mapping-2"] = state
    refused = refusal(copied, **document)
    way = f'"{copied.to}" .* `aws lambda update-event-source-mapping --uuid mapping-2 --enabled --region us-east-1`'
    answered(refused, TableError, "table", copied.table, "compare_only", rule="switched off", way=way)
    assert "mapping-1" not in refused["cause"]


def test_a_stopped_copy_cannot_be_resumed_after_a_cut_over(copied: Copied) -> None:
    copied.load(20)
    assert copied.copy("stopped", max_write_units=8, workers=1)["error"] == "BudgetError"
    copied.mappings.states["mapping-1"] = "Disabled"
    before = copied.target
    refused = copied.copy("later", resume="stopped")
    answered(refused, TableError, "table", copied.table, "compare_only", rule="switched off")
    assert copied.target == before


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at an item that differs again at once: here nobody is about to change it."""
    monkeypatch.setattr("skipscan.copy.copying.PAUSE_SECONDS", 0.0)


@pytest.mark.usefixtures("no_pauses")
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
    answered(refusal(copied), TableError, "table", copied.table, rule="mapping of its replicator was deleted")


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
    rule = rf'id \(N\); table "{copied.table}" has id \(S\)'
    answered(refusal(copied), TableError, f'table "{copied.to}"', rule=rule)


def test_a_target_without_recovery_is_refused_by_default(copied: Copied) -> None:
    copied.load()
    copied.engine.recovery = "DISABLED"
    recovery = f'point-in-time recovery of table "{copied.to}"'
    answered(refusal(copied), TableError, recovery, remedy={"without_recovery": True})
    assert copied.copy("told", without_recovery=True)["copied"] == 5


@pytest.mark.parametrize(
    ("document", "remedy", "rule"),
    [
        ({"to": "a b"}, "", "table's name"),
        ({"compare_items": 0}, "", "1 to 1000000000000$"),
        ({"compare_only": True, "create": True}, "create", "only compares"),
        ({"compare_only": True, "verify": False}, "verify", "only compares"),
        ({"max_write_units": 0}, "", "at least 1 "),
        ({"dry_run": "no"}, "", "true or false"),
        ({"resume": "copy-9"}, "resume", "no copy"),
    ],
)
def test_bad_input_is_refused_with_the_field_and_the_way_out(
    copied: Copied, document: dict[str, Any], remedy: str, rule: str
) -> None:
    field, value = next(iter(document.items()))
    answered(refusal(copied, **document), InputError, field, value, remedy, rule=rule)


def test_a_field_that_is_missing_unknown_or_kept_is_refused(copied: Copied) -> None:
    answered(refusal(copied, to=None), InputError, "to", rule="^is missing")
    answered(refusal(copied, set={"a": "{b}"}), InputError, '"set"', rule="of the input")
    kept = refusal(copied, segments=3, resume="copy-9")
    answered(kept, InputError, "segments", 3, "segments", rule="plan", resume="copy-9")


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


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize("between", [(), ("Third",), ("arn:aws:dynamodb:us-east-1:000000000000:table/Third", "Fourth")])
def test_a_copy_that_comes_back_to_its_source_is_refused(
    copied: Copied, monkeypatch: pytest.MonkeyPatch, between: tuple[str, ...]
) -> None:
    """Each replicator would follow what the other writes, without end."""
    copied.load(1)
    way = (copied.to, *between, copied.table)
    others = [beside(copied, one, following) for one, following in pairwise(way)]
    monkeypatch.setattr(copied.job.plan, "replicas", [*copied.job.plan.replicas, *others])
    rule = f'"{copied.to}" to .*"{copied.table}", so each change'
    answered(refusal(copied, dry_run=False), TableError, "to", copied.to, rule=rule)
    assert copied.copy("compares", compare_only=True)["copied"] == 0


def test_a_chain_of_copies_that_does_not_come_back_is_none(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    copied.load(1)
    others = [beside(copied, copied.to, "Third"), beside(copied, "Other", "Another")]
    monkeypatch.setattr(copied.job.plan, "replicas", [*copied.job.plan.replicas, *others])
    assert copied.copy(verify=False)["copied"] == 6


def test_a_second_source_of_the_same_target_is_refused(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    other = beside(copied, "Other", f"arn:aws:dynamodb:us-east-1:000000000000:table/{copied.to}")
    monkeypatch.setattr(copied.job.plan, "replicas", [*copied.job.plan.replicas, other])
    answered(refusal(copied), TableError, "to", copied.to, rule='table "Other" to it')


@pytest.mark.parametrize("keeper", ["keeper", "attribute_keeper"])
def test_a_target_that_a_keeper_writes_to_is_refused(
    copied: Copied, monkeypatch: pytest.MonkeyPatch, keeper: str
) -> None:
    monkeypatch.setattr(copied.job.plan, "followers", {copied.to: [keeper], copied.table: [keeper]})
    answered(refusal(copied), TableError, "to", copied.to, rule=f'its "{keeper}" ')


def test_a_target_that_retrofits_may_write_to_is_refused(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copied.job.plan, "retrofitted", [copied.table])
    copied.load(1)
    assert "error" not in copied.copy("source")
    copied.engine.requests.clear()
    monkeypatch.setattr(copied.job.plan, "retrofitted", [copied.to])
    answered(refusal(copied), TableError, "to", copied.to, rule='its "retrofit" ')


def test_a_target_that_has_a_stream_is_a_warning(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    """What other environments do with it is unknown here."""
    copied.load(1)
    copied.engine.streamless.clear()
    (warning,) = copied.job.explained(table=copied.table, to=copied.to)["warnings"]
    assert f'table "{copied.to}" has a stream' in warning
