"""The preview of each kind of job has the figures of its plan in words, and no row without one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from skipscan.cli.board import plain
from skipscan.cli.preview import job_preview
from skipscan.copy.plan import CopyForecast
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.forecast import Sampled
from tests.fakes.small_table import DESCRIPTION, copy_plan, item, retrofit_plan
from tests.unit.act.test_plan import explained as explained_act
from tests.unit.act.test_plan import job
from tests.unit.act.worker import QUEUE
from tests.unit.retrofit.test_forecast import SEGMENTS
from tests.unit.retrofit.test_forecast import explained as explained_retrofit

ITEMS = (*(item(f"i{number}", a="x", b="y") for number in range(6)), item("l1", a="x"))
SAMPLE = Sampled(ITEMS, segments=2, ended=False, read_units=1.0)
PUT = {"put_item": {"item": {"sk": "#static"}}}


def a_copy(**changed: Any) -> dict[str, Any]:
    described = TableDescription.from_json({**DESCRIPTION, "ItemCount": 90, "TableSizeBytes": 0})
    plan = replace(copy_plan(4, verify=True, compare_items=9).over(90), **changed)
    forecast = CopyForecast.of(plan.replica, SAMPLE, 4, described, described)
    return {"create": True, **forecast.to_json(plan, recovery=None), "warnings": []}


PREVIEWS = {
    "act": {**PUT, **explained_act(job()), "run_hours": 0.2, "advice": []},
    "retrofit": {**explained_retrofit(retrofit_plan(SEGMENTS, verify=True)), "warnings": []},
    "copy": a_copy(),
}
# Whether repeats do harm is said by what they mean; no index is counted in this retrofit.
NOT_SHOWN = {"act": {"idempotent"}, "retrofit": {"count_indexes"}, "copy": set()}


def lines(noun: str, **facts: object) -> list[str]:
    drawn = plain(job_preview(noun, {**PREVIEWS[noun], **facts}))
    return [" ".join(line.split()) for line in drawn.splitlines()]


class Read(dict[str, Any]):
    """A document that notes which of its fields are read."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        super().__init__(document)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.read.add(name)
        return super().get(name, default)


@pytest.mark.parametrize("noun", PREVIEWS)
def test_every_field_of_a_plan_is_shown(noun: str) -> None:
    facts = Read(PREVIEWS[noun])
    plain(job_preview(noun, facts))
    assert set(PREVIEWS[noun]) - facts.read == NOT_SHOWN[noun]


def test_a_template_that_no_item_of_the_sample_can_fill_is_warned_of() -> None:
    warning = "! No item of the sample has every attribute that the templates name: check their names."
    assert warning not in lines("retrofit", expected={"written": 1.0, "lacking": 9.0})
    assert warning in lines("retrofit", expected={"written": 0.0, "lacking": 9.0})


def test_a_retrofit_says_what_it_sets_what_it_removes_and_what_is_lost() -> None:
    title, _, *rows = lines("retrofit", remove=["a", "old"])
    assert title == (
        "Set made and remove a and old on the items of table Audit. Values that are overwritten or removed are lost."
    )
    place = rows.index("attributes made = {a}-{b}")
    assert rows[place + 1 : place + 4] == [
        "a is removed",
        "old is removed",
        "values that contain a separator: refuse",
    ]
    title, _, *rows = lines("retrofit", set={}, remove=["old"])
    assert title.startswith("Remove old from the items of table Audit.")
    assert "attributes old is removed" in rows
    assert lines("retrofit")[0] == "Set made on the items of table Audit. Other values there are overwritten."


OVERWRITE = {"put_item": {**PUT["put_item"], "overwrite": True}}
KEY = {"key": {"sk": "#static"}}


@pytest.mark.parametrize(
    ("facts", "effect", "writes"),
    [
        ({}, "put an item into each item collection. Items with the same key are kept.", "puts"),
        (OVERWRITE, "put an item into each item collection. Items with the same key are overwritten.", "puts"),
        (
            {"action": "delete_item", "delete_item": KEY},
            "delete one item of each item collection. An item is deleted whatever it contains.",
            "deletes",
        ),
        (
            {"action": "delete_item", "delete_item": {**KEY, "if": {"a": "b"}}},
            "delete one item of each item collection. An item is deleted only if it meets the condition.",
            "deletes",
        ),
        (
            {"action": "undo", "undo": "mark"},
            "delete only the items that a job has put. Items of act mark that nobody has changed are deleted.",
            "deletes",
        ),
    ],
)
def test_what_becomes_of_items_that_exist_is_the_title(facts: dict[str, Any], effect: str, writes: str) -> None:
    said = lines("act", **facts)
    assert (said[0], said[2]) == (f"Table T-1: {effect}", f"writes 1,200,000 {writes}, one for each key")


def test_keys_are_handed_over_without_a_write() -> None:
    facts = {"action": "send", "send": {"queue": QUEUE}, "write_units": 0, "max_units_per_second": 1.0}
    said = lines("act", **facts, point_in_time_recovery=None)
    assert said[0].endswith(f"Nothing is written to the table; {QUEUE} receives the keys.")
    assert "writes none to the table; 1,200,000 keys are handed over" in said
    assert "limits at most 1 key per second" in said
    assert not any("recovery" in line for line in said)


def test_a_comparison_says_that_it_writes_nothing() -> None:
    compared = lines("copy", **a_copy(compare_only=True))
    assert compared[0].endswith("Nothing is written to the tables.")
    assert "writes none" in compared
    assert not any(line.startswith(("not written", "later changes", "!")) for line in compared)


def test_a_copy_says_what_its_verification_compares() -> None:
    assert "verification both tables are read, and all keys are compared" in lines("copy", compared_share=1.0)


def test_limits_have_their_units_and_what_they_can_be_exceeded_by() -> None:
    bounds = {"max_units_per_second": 500.0, "max_write_units_per_second": 500.0, "max_write_units": 1000.0}
    said = lines("act", **bounds, max_dollars=2.0, overrun={"write_units": 1.0, "dollars": 0.02})
    first = said.index("limits at most 500 write units per second")
    assert said[first + 1 : first + 3] == [
        "at most 1,000 write units and $2.00",
        "a budget can be exceeded by 1 write unit and $0.020",
    ]
    assert "limits at most 7 read units per second" in lines("retrofit", max_read_units_per_second=7.0)


RECOVERY = "! Point-in-time recovery of table {} is {}: you cannot restore what the job overwrites. "


def test_warnings_are_sentences() -> None:
    assert not any(line.startswith("!") for line in lines("act"))
    lost = lines("act", point_in_time_recovery=False, advice=["the run is old: list the table again"])
    assert RECOVERY.format("T-1", "off") + "Switch it on, or add --without-recovery." in lost
    assert "! The run is old: list the table again." in lost
    said = lines("retrofit", advice=[{"needless": "a", "because": "an index does it", "index": {"b": [1]}}])
    assert "! An index does it. --json has the definition of the index." in said
    assert "! A reader is slow." in lines("retrofit", warnings=["A reader is slow."])


def test_a_job_under_a_minute_is_not_timed() -> None:
    assert "time less than a minute with 1 worker, 1,200,000 requests" in lines("act", minutes=0.1)
    assert "time about 20 min 06 s with 1 worker, 1,200,000 requests" in lines("act")
    assert "time about 20 min 06 s with 1 worker and 9 segments" in lines("copy", minutes=20.1, segments=9)
