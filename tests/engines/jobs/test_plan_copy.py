"""Plan copy: what must not start, and what a dry run says."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from local import audit_table
from skipscan.errors import TableError
from tests.engines.jobs.conftest import SET, Audited, Copied, configure, vectors
from tests.refusal import answered

pytestmark = pytest.mark.xdist_group("dynalite")


def refusal(copied: Copied, **document: Any) -> dict[str, Any]:
    output = copied.run(**document)
    assert set(output) == {"error", "cause", "refusal"}
    assert not {"scan", "put_item"} & {*copied.engine.names}
    return output


def test_a_table_without_a_stream_is_refused(copied: Copied) -> None:
    copied.engine.has_stream = False
    answered(refusal(copied), TableError, f'table "{copied.table}"', rule="no stream", way="KEYS_ONLY")


def test_a_stream_that_the_replicator_does_not_follow_is_refused(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan: Any = copied.job.plan
    (replica,) = plan.function.settings.replicas
    configure(monkeypatch, copied.job, replicas=({**replica, "stream": "arn:older"},))
    answered(refusal(copied), TableError, f'table "{copied.table}"', rule="new stream; .* arn:older$")


def test_a_copy_after_a_cut_over_is_refused(copied: Copied) -> None:
    """It would put back what the new table's writers have deleted since."""
    copied.load(5)
    copied.mappings.states["mapping-2"] = "Disabled"
    refused = refusal(copied)
    way = f'"{copied.to}" .* `aws lambda update-event-source-mapping --uuid mapping-2 --enabled --region us-east-1`'
    answered(refused, TableError, "table", copied.table, "compare_only", rule="switched off", way=way)
    assert "mapping-1" not in refused["cause"]


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at an item that differs again at once: here nobody is about to change it."""
    monkeypatch.setattr("skipscan.copy.item.PAUSE_SECONDS", 0.0)


@pytest.mark.usefixtures("no_pauses")
def test_a_cut_over_s_own_comparison_starts_with_the_replicator_switched_off_and_writes_nothing(copied: Copied) -> None:
    copied.load(5)
    copied.engine.client.put_item(TableName=copied.to, Item={"id": {"S": "ghost"}})
    copied.mappings.states = dict.fromkeys(copied.mappings.states, "Disabled")
    copied.engine.recovery = "DISABLED"
    output = copied.run(compare_only=True)
    assert (output["missing"], output["surplus"], output["copied"]) == (len(copied.items()), 1, 0)
    assert {*copied.engine.names} == {"scan", "get_item"}
    assert copied.queue.entries == []
    assert copied.explained(compare_only=True)["write_units"] == 0.0


def test_a_target_to_which_another_copy_a_keeper_or_retrofits_may_write_is_refused(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, copied.job, retrofitted=(copied.table,))
    copied.load(1)
    assert "error" not in copied.run("source")
    copied.engine.requests.clear()
    with monkeypatch.context() as patch:
        configure(patch, copied.job, followers={copied.to: ["keeper"], copied.table: ["keeper"]})
        answered(refusal(copied), TableError, "to", copied.to, rule='its "keeper" ')
    with monkeypatch.context() as patch:
        (pair,) = copied.job.plan.function.settings.replicas
        configure(patch, copied.job, replicas=(pair, {**pair, "source": "Other"}))
        answered(refusal(copied), TableError, "to", copied.to, rule='table "Other" to it')
    configure(monkeypatch, copied.job, retrofitted=(copied.to,))
    answered(refusal(copied), TableError, "to", copied.to, rule='its "retrofit" ')


def test_a_target_that_has_a_stream_is_a_warning(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    """What other environments do with it is unknown here."""
    copied.load(1)
    copied.engine.streamless.clear()
    (warning,) = copied.explained()["warnings"]
    assert f'table "{copied.to}" has a stream' in warning


# The table that a copy creates: like the source, once, and with its recovery.


def test_a_table_is_created_like_the_source_on_request(copied: Copied) -> None:
    copied.load(10)
    gone(copied)
    assert "there is no such table" in copied.run()["cause"]
    assert copied.explained(create=True)["items"] == 15
    assert "create_table" not in copied.engine.names
    assert copied.run("made", create=True)["copied"] == 15
    assert copied.target == copied.expected
    made = copied.engine.client.describe_table(TableName=copied.to)["Table"]
    assert [index["IndexName"] for index in made["GlobalSecondaryIndexes"]] == [audit_table.INDEX]


def gone(copied: Copied) -> None:
    copied.engine.client.delete_table(TableName=copied.to)
    copied.engine.client.get_waiter("table_not_exists").wait(
        TableName=copied.to, WaiterConfig={"Delay": 1, "MaxAttempts": 600}
    )
    copied.engine.recovery = "DISABLED"


def test_the_recovery_of_a_new_table_is_requested_until_it_is_available(copied: Copied) -> None:
    """A retry of Plan finds the table that it made, and asks again."""
    copied.load(10)
    gone(copied)
    copied.engine.unavailable = 2
    for _ in range(2):
        with pytest.raises(ClientError, match="ContinuousBackupsUnavailableException") as raised:
            copied.run("made", create=True)
        assert type(raised.value).__name__ == "ContinuousBackupsUnavailableException", "the retrier goes by the name"
    assert copied.run("made", create=True)["copied"] == 15
    assert copied.engine.names.count("create_table") == 1
    assert copied.engine.recovery == "ENABLED"


def test_two_attempts_that_create_the_table_at_once_get_one(copied: Copied) -> None:
    """API reference, CreateTable: ResourceInUseException while another request creates the table."""
    copied.load(10)
    gone(copied)

    def overtaken(name: str, parameters: dict[str, Any]) -> None:
        if name == "create_table":
            copied.engine.before = None
            copied.engine.client.create_table(**{**parameters, "Tags": []})

    copied.engine.before = overtaken
    assert copied.run("made", create=True)["copied"] == 15


@pytest.mark.parametrize("dry_run", [True, False])
def test_no_table_is_created_without_the_source_s_vector_indexes(copied: Copied, dry_run: bool) -> None:
    copied.load(10)
    copied.engine.more = {copied.table: vectors("by-meaning")}
    assert copied.run("there", create=True)["copied"] == 15, "a target that exists is taken as it is"
    gone(copied)
    refused = copied.run("made", create=True, dry_run=dry_run)
    answered(refused, TableError, "create", True, "create", rule=rf'^table "{copied.table}" .* \(by-meaning\)')
    assert "create_table" not in copied.engine.names


# Refusals, explanations and estimates of Plan retrofit, before the first item is written.


def test_a_dry_run_says_what_would_be_written_and_what_it_costs(audited: Audited) -> None:
    audited.load(20, {"id": {"S": "lacks"}})
    explanation = audited.explained(segments=6)
    assert explanation["expected"] == {"written": 23, "right": 2, "lacking": 1, "refused": 0}
    # The table's own write, and the entry that comes into the index.
    assert explanation["write_units_per_update"] == {"table": 1.0, "by-all-three": 1.0}
    assert (explanation["write_units"], explanation["read_units"]) == (46.0, 6.0)
    assert explanation["dollars"]["write_units"] == pytest.approx(46 * 0.625e-6, abs=1e-6)
    (advice,) = explanation["advice"]  # an index of several attributes needs no retrofit
    assert advice["needless"] == audit_table.ATTRIBUTE


def test_a_table_that_is_not_enabled_is_refused(audited: Audited) -> None:
    other = f"Other-{audited.table}"
    audit_table.create(audited.engine.client, other)
    refused = audited.job.planned({"table": other, "set": SET})
    answered(refused, TableError, "table", other, way='"retrofit": true')


@pytest.mark.parametrize("consistency", ["", "EVENTUAL", "STRONG"])
def test_a_table_is_refused_that_may_be_written_to_elsewhere(audited: Audited, consistency: str) -> None:
    audited.load()
    stated = {"MultiRegionConsistency": consistency} if consistency else {}
    audited.engine.more = {audited.table: {"Replicas": [{"RegionName": "eu-west-1"}], **stated}}
    if consistency == "STRONG":
        assert audited.run("strong")["written"] == 3
        return
    before = audited.items()
    refused = audited.run("refused")
    answered(refused, TableError, f'table "{audited.table}"', remedy={"no_writes_elsewhere": True})
    assert audited.items() == before
    assert audited.run("told", no_writes_elsewhere=True)["written"] == 3
