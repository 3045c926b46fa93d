"""A retrofit of the source's audit table: the functions as they are deployed, updates as an engine makes them."""

import json
from typing import Any
from unittest.mock import patch

import pytest

from local import audit_table
from skipscan.pace.bill import Amounts, amounts
from skipscan.retrofit.kind import RETROFIT
from tests.engines.jobs.conftest import Audited
from tests.fakes.handlers.metrics import lines, total

pytestmark = pytest.mark.xdist_group("dynalite")

QUESTION = ("123ccc", "edited", "jane")
ANSWER = ["2017-05-01T00:00:25.000"]
MADE = audit_table.ATTRIBUTE


def test_the_source_s_query_is_incomplete_before_and_complete_after(audited: Audited) -> None:
    audited.load()
    assert audited.when(*QUESTION) == []
    output = audited.run()
    assert (output["items"], output["written"], output["right"]) == (5, 3, 2)
    assert (output["verified"], output["wrong"]) == (5, 0)
    assert audited.when(*QUESTION) == ANSWER
    assert audited.when("123bbb", "viewed", "joe1") == ["2017-05-01T00:00:00.000"]
    assert audited.when("123ccc", "viewed", "bill") == ["2017-05-01T00:01:05.000"]


def test_an_attribute_is_renamed_and_another_removed_while_others_write_and_a_second_time_changes_nothing(
    audited: Audited,
) -> None:
    audited.load(0, {"id": {"S": "both"}, "action": {"S": "old"}, "deed": {"S": "new"}})
    before = audited.items()
    written: list[str] = []

    def write(name: str, parameters: dict[str, Any]) -> None:
        if name == "update_item" and parameters["Key"] == {"id": {"S": "111aaa"}} and not written:
            written.append(name)
            item = before["111aaa"] | {"action": {"N": "7"}}
            audited.engine.client.put_item(TableName=audited.table, Item=item)

    audited.engine.before = write
    renamed = {"set": {"deed": "{action}"}, "remove": ["action", "resourceName"], "count_indexes": False}
    output = audited.run("first", **renamed)
    assert (output["written"], output["refused"], output["conflicts"], output["wrong"]) == (5, 1, 1, 0)
    assert audited.items()["111aaa"]["deed"] == {"N": "7"}
    for id_, item in before.items():
        left = {name: value for name, value in item.items() if name not in ("action", "resourceName")}
        if id_ not in ("111aaa", "both"):
            assert audited.items()[id_] == {**left, "deed": item["action"]}
    assert audited.items()["both"] == before["both"]
    assert audited.run("second", **renamed)["right"] == 5


def test_items_that_cannot_be_set_are_counted_and_listed_with_the_reason_and_left_alone(audited: Audited) -> None:
    odd: list[dict[str, Any]] = [
        {"id": {"S": "lacks"}, "resourceId": {"S": "1"}},
        {"id": {"S": "dash"}, "resourceId": {"S": "a-b"}, "action": {"S": "x"}, "accessedBy": {"S": "y"}},
        {"id": {"S": "list"}, "resourceId": {"L": []}, "action": {"S": "x"}, "accessedBy": {"S": "y"}},
        {"id": {"S": "long"}, "resourceId": {"S": "z" * 2040}, "action": {"S": "viewed"}, "accessedBy": {"S": "jane"}},
    ]
    audited.load(0, *odd)
    output = audited.run()
    assert (output["items"], output["written"], output["lacking"], output["refused"]) == (9, 3, 1, 3)
    listed = {line["key"]["id"]["S"]: (line["problem"], line["reason"]) for line in audited.listed()}
    assert listed == {
        "lacks": ("lacking", "action is lacking"),
        "dash": ("refused", "resourceId holds a separator"),
        "list": ("refused", "resourceId has type L; only S, N and B can be written as text"),
        "long": ("refused", f"{MADE} would have more than 2048 bytes, and it is a key of index by-all-three"),
    }
    assert all(audited.items()[item["id"]["S"]] == item for item in odd)


def test_its_end_is_emitted_as_a_metric(audited: Audited, capsys: pytest.CaptureFixture[str]) -> None:
    audited.load(0, {"id": {"S": "lacks"}, "resourceId": {"S": "1"}})
    output = audited.run()
    [line] = [line for line in lines(capsys.readouterr().out) if "JobsFinished" in line.values]
    assert total([line]) == {
        "JobsFinished": 1,
        "JobWrittenItems": 3,
        "JobFailedItems": 1,
        "JobWriteUnits": output["write_units"],
        "JobSeconds": output["seconds"],
    }
    assert line.properties == {"retrofit": output["retrofit"]}


# The entries of the index that a retrofit makes complete, held against the items that have its keys.


def test_the_index_has_as_many_entries_as_items_have_its_keys(audited: Audited) -> None:
    audited.load(60, {"id": {"S": "lacking"}, "resourceId": {"S": "r"}})
    output = audited.run(count_indexes=True)
    counted = output["indexes"][audit_table.INDEX]
    assert output["verified"] == 66
    assert (output["indexed"], counted["entries"], counted["stopped_by"]) == (65, 65, None)
    (manifest,) = audited.job.objects("manifest.json")
    assert f'"{audit_table.INDEX}"' in audited.job.read(manifest).decode()


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
