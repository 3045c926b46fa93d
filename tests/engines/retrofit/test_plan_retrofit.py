"""Refusals, explanations and estimates of Plan retrofit, before the first item is written."""

from contextlib import suppress
from typing import Any

import pytest

from local import audit_table
from skipscan.dynamodb.page import most_page_units
from skipscan.errors import OMITTED, BatchError, InputError, TableError
from tests.engines.retrofit.conftest import WRITING, Audited
from tests.fakes.s3 import s3_error
from tests.refusal import answered

pytestmark = pytest.mark.xdist_group("dynalite")

MADE = audit_table.ATTRIBUTE


def explained(audited: Audited, **document: Any) -> dict[str, Any]:
    return dict(audited.job.planned({"table": audited.table, "set": SET, **document})["explanation"])


SET = {MADE: audit_table.TEMPLATE}


def test_a_retrofit_is_a_dry_run_by_default(audited: Audited) -> None:
    audited.load(20)
    planned = audited.job.planned({"table": audited.table, "set": SET})
    assert planned.keys() == {"explanation"}
    assert set(audited.engine.names) == {"scan"}


def test_a_dry_run_says_what_would_be_written_and_what_it_costs(audited: Audited) -> None:
    audited.load(20, {"id": {"S": "lacks"}})
    explanation = explained(audited, segments=6)
    assert (explanation["items"], explanation["items_are"]) == (26, "counted")
    assert explanation["expected"] == {"written": 23, "right": 2, "lacking": 1, "refused": 0}
    # The table's own write, and the entry that comes into the index.
    assert explanation["write_units_per_update"] == {"table": 1.0, "by-all-three": 1.0}
    assert (explanation["write_units"], explanation["read_units"]) == (46.0, 6.0)
    assert explanation["dollars"]["write_units"] == pytest.approx(46 * 0.625e-6, abs=1e-6)
    assert explanation["prices"]["write_units"]["as_of"]
    assert explanation["point_in_time_recovery"] is True


def test_first_items_show_types_and_their_values_only_on_request(audited: Audited) -> None:
    audited.load()
    assert explained(audited)["first_items"][0] == {"id": "S", MADE: "S"}
    planned = audited.job.planned({"table": audited.table, "set": SET, "show_items": True}, "shown")
    shown = [item[MADE]["S"] for item in planned["explanation"]["first_items"]]
    assert sorted(shown) == ["123bbb-viewed-jane", "123bbb-viewed-joe1", "123ccc-edited-jane"]


def test_the_plan_says_that_an_index_of_several_attributes_needs_no_retrofit(audited: Audited) -> None:
    audited.load(10)
    (advice,) = explained(audited)["advice"]
    assert advice["needless"] == MADE
    created = advice["index"]["GlobalSecondaryIndexUpdates"][0]["Create"]
    assert created["KeySchema"] == [
        {"AttributeName": "resourceId", "KeyType": "HASH"},
        {"AttributeName": "action", "KeyType": "HASH"},
        {"AttributeName": "accessedBy", "KeyType": "HASH"},
        {"AttributeName": "timestamp", "KeyType": "RANGE"},
    ]
    assert {entry["AttributeType"] for entry in advice["index"]["AttributeDefinitions"]} == {"S"}


@pytest.mark.parametrize(
    ("document", "field", "value", "remedy", "rule"),
    [
        ({"set": {MADE: "{a}{b}"}}, f"set.{MADE}", OMITTED, "separator", r"nothing between \{a\} and \{b\}"),
        ({"set": {"id": "{action}-{accessedBy}"}}, "set.id", OMITTED, "", "a key attribute"),
        ({"set": {"action": "{action}-x"}}, "set.action", OMITTED, "", "also a source"),
        ({"set": {}}, "set", {}, "", "an object"),
        ({"set": None}, "set", OMITTED, "", "^is missing"),
        ({"sett": {}}, '"sett"', OMITTED, "", "of the input .*, set, "),
        ({"separator": "drop"}, "separator", "drop", "", "refuse, escape, keep$"),
        ({"workers": 0}, "workers", 0, "", "1 to 100$"),
        ({"dry_run": "no"}, "dry_run", "no", "", "true or false"),
        ({"resume": "x", "set": None}, "resume", "x", "resume", "no retrofit"),
    ],
)
def test_a_mistake_is_refused_before_anything_is_read(
    *, audited: Audited, document: dict[str, Any], field: str, value: object, remedy: str, rule: str
) -> None:
    refused = audited.job.planned({"table": audited.table, "set": SET, **document})
    answered(refused, InputError, field, value, remedy, rule=rule)
    assert audited.engine.names == []


def test_a_resumed_retrofit_gets_no_set(audited: Audited) -> None:
    refused = audited.job.planned({"table": audited.table, "set": SET, "resume": "x"})
    answered(refused, InputError, "set", SET, "set", rule="plan", resume="x")
    assert audited.engine.names == []


def test_a_table_that_is_not_enabled_is_refused(audited: Audited) -> None:
    other = f"Other-{audited.table}"
    audit_table.create(audited.engine.client, other)
    refused = audited.job.planned({"table": other, "set": SET})
    answered(refused, TableError, "table", other, way='"retrofit": true')


def test_a_table_without_point_in_time_recovery_is_refused_by_default(audited: Audited) -> None:
    audited.load()
    audited.engine.recovery = "DISABLED"
    refused = audited.retrofit("refused")
    recovery = f'point-in-time recovery of table "{audited.table}"'
    answered(refused, TableError, recovery, remedy={"without_recovery": True})
    assert explained(audited)["point_in_time_recovery"] is False
    assert audited.retrofit("told", without_recovery=True)["written"] == 3


@pytest.mark.parametrize("consistency", [{}, {"MultiRegionConsistency": "EVENTUAL"}])
def test_a_table_that_may_be_written_to_elsewhere_is_refused(audited: Audited, consistency: dict[str, str]) -> None:
    audited.load()
    audited.engine.more = {"Replicas": [{"RegionName": "eu-west-1"}], **consistency}
    before = audited.items()
    refused = audited.retrofit("refused")
    answered(refused, TableError, f'table "{audited.table}"', remedy={"no_writes_elsewhere": True})
    assert audited.items() == before
    assert audited.retrofit("told", no_writes_elsewhere=True)["written"] == 3


def test_a_global_table_with_strong_consistency_is_retrofitted(audited: Audited) -> None:
    audited.load()
    audited.engine.more = {"Replicas": [{"RegionName": "eu-west-1"}], "MultiRegionConsistency": "STRONG"}
    assert audited.retrofit("strong")["written"] == 3


def test_a_dry_run_and_a_complete_retrofit_cannot_be_resumed(audited: Audited) -> None:
    audited.load()
    audited.job.planned({"table": audited.table, "set": SET}, name="dry")
    answered(audited.retrofit(resume="dry"), InputError, "resume", "dry", {"dry_run": False})
    audited.retrofit("whole")
    answered(audited.retrofit(resume="whole"), InputError, "resume", "whole", "resume", rule="complete$")


def test_a_reused_name_does_not_touch_existing_results(audited: Audited) -> None:
    audited.load()
    audited.retrofit("again")
    refused = audited.job.planned({"table": audited.table, "set": SET, "dry_run": False}, "again", started="2027-01-01")
    answered(refused, InputError, "the execution's name", "again", {"resume": "again"}, rule="earlier retrofit")


def test_workers_that_the_rate_does_not_allow_are_a_warning(audited: Audited) -> None:
    audited.load(20)
    (warning,) = explained(audited, workers=2, max_write_units_per_second=3)["warnings"]
    assert warning.startswith("The job uses 1 of the 2 requested workers")


def test_two_readers_of_the_table_s_stream_are_a_warning(audited: Audited, monkeypatch: pytest.MonkeyPatch) -> None:
    audited.load(1)
    assert explained(audited)["warnings"] == []
    monkeypatch.setattr(audited.job.plan, "followers", {audited.table: ["keeper", "attribute_keeper"]})
    planned = audited.job.planned({"table": audited.table, "set": SET}, "later")
    (warning,) = planned["explanation"]["warnings"]
    assert "a trigger of your own would be the third" in warning


def test_a_table_with_vector_indexes_costs_more_than_the_plan_says_and_the_plan_says_so(audited: Audited) -> None:
    audited.load(1)
    audited.engine.more = {"VectorIndexes": [{"IndexName": "by-meaning"}]}
    (warning,) = explained(audited)["warnings"]
    assert "(by-meaning). DynamoDB bills writes to them by the byte" in warning


def test_all_attempts_to_plan_spend_one_budget_together(audited: Audited, monkeypatch: pytest.MonkeyPatch) -> None:
    audited.load(0, *(large(number) for number in range(20)))
    refuse_plans(audited, monkeypatch)
    asked = {"table": audited.table, **WRITING, "max_read_units": 60}
    for _ in range(9):
        with suppress(BatchError):
            audited.job.planned(asked)
    refused = audited.job.planned(asked)
    assert 30 < sum(audited.engine.consumed) <= 60 + most_page_units(0.5, 1)
    assert (refused["error"], "max_read_units is 60;" in refused["cause"]) == ("InputError", True)


def test_an_attempt_to_plan_that_is_killed_counts_with_the_most_that_it_can_have_read(
    audited: Audited, monkeypatch: pytest.MonkeyPatch
) -> None:
    audited.load(0, *(large(number) for number in range(20)))
    scan = audited.engine.scan

    def kill(**asked: Any) -> None:
        scan(**asked)
        raise KeyboardInterrupt

    asked = {"table": audited.table, **WRITING, "max_read_units": 60}
    with monkeypatch.context() as patched:
        patched.setattr(audited.engine, "scan", kill, raising=False)
        with pytest.raises(KeyboardInterrupt):
            audited.job.planned(asked)
    assert len(audited.engine.consumed) == 1
    refused = audited.job.planned(asked)
    assert (refused["error"], "max_read_units is 60;" in refused["cause"]) == ("InputError", True)
    assert len(audited.engine.consumed) == 1


def test_what_lost_attempts_to_plan_took_counts_against_the_budget_of_the_workers_and_of_a_resume(
    audited: Audited, monkeypatch: pytest.MonkeyPatch
) -> None:
    audited.load(0, *(large(number) for number in range(20)))
    refuse_plans(audited, monkeypatch)
    asked = {"table": audited.table, **WRITING, "workers": 1}
    for _ in range(3):
        with suppress(BatchError):
            audited.job.planned(asked)
    monkeypatch.undo()
    lost = sum(audited.engine.consumed)
    planned = audited.job.planned(asked)
    own = sum(audited.engine.consumed) - lost
    assert lost + own <= planned["work"]["plan"]["sampled_units"] <= lost + own + 3
    # What no attempt without a budget declared beforehand counts, too, once there is a budget.
    refused = audited.job.planned({"table": audited.table, "resume": "run-1", "max_read_units": lost}, "run-2")
    assert (refused["error"], "max_read_units is" in refused["cause"]) == ("InputError", True)


def large(number: int) -> dict[str, Any]:
    return {"id": {"S": f"large-{number}"}, "body": {"S": "z" * 100_000}}


def refuse_plans(audited: Audited, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let S3 refuse to store a plan."""
    put = audited.job.s3.put_object

    def refuse(**parameters: Any) -> Any:
        if parameters["Key"].endswith("/plan.json"):
            raise s3_error("SlowDown", 503, "PutObject")
        return put(**parameters)

    monkeypatch.setattr(audited.job.s3, "put_object", refuse)
