"""The keeper's function: what it asks of DynamoDB, what it costs, and what it hands back to Lambda."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skipscan.dynamodb.source import Item
from skipscan.items.mark import MARK, of_job
from tests.engines.jobs.engine import error
from tests.engines.markers.conftest import KeptMarkers
from tests.unit.markers import sample

pytestmark = pytest.mark.xdist_group("dynalite")

TEMPLATE = {"pk": {"S": "p"}, "sk": {"S": "#static"}, "GSI-pk": {"S": "p"}}


def test_a_marker_comes_with_a_collection_s_first_item_and_goes_with_its_last(kept: KeptMarkers) -> None:
    assert kept.handle(kept.put(sample.item("p", "a")), kept.put(sample.item("p", "b"))) == []
    assert kept.listed() == ["p"]
    assert kept.handle(kept.delete(sample.item("p", "a"))) == []
    assert kept.listed() == ["p"]
    assert kept.handle(kept.delete(sample.item("p", "b"))) == []
    assert kept.items() == []


@pytest.mark.parametrize("before", ["before a put", "before a delete"])
def test_an_application_s_item_written_after_the_read_is_kept(kept: KeptMarkers, before: str) -> None:
    theirs = sample.item("p", "#static", note="theirs")
    real = kept.client.client
    kept.put(sample.item("p", "a") if before == "before a put" else kept.marker("p"))

    def query(**parameters: object) -> object:
        answer = real.query(**parameters)  # type: ignore[arg-type]
        kept.put(theirs)
        del kept.client.__dict__["query"]  # once
        return answer

    kept.client.__dict__["query"] = query
    assert kept.handle(kept.record("REMOVE", sample.item("p", "b"))) == []
    assert theirs in kept.items()


def test_no_marker_is_put_or_deleted_in_a_table_that_was_created_again(kept: KeptMarkers) -> None:
    kept.put(kept.marker("ended"))
    records = [kept.put(sample.item("p", "a")), kept.record("REMOVE", sample.item("ended", "a"))]
    before = kept.items()
    kept.client.created = "2026-02-02T00:00:00.000"
    assert kept.handle(*records) == [record["dynamodb"]["SequenceNumber"] for record in records]
    assert kept.items() == before
    assert not {"put_item", "delete_item"} & {*kept.client.names}


def test_changes_come_again_if_a_new_index_refuses_every_marker(
    kept: KeptMarkers, caplog: pytest.LogCaptureFixture
) -> None:
    """The function has described the table before that, and Lambda may keep it for hours."""
    assert kept.handle(kept.put(sample.item("before", "a"))) == []
    types = {"pk": "S", "sk": "S", "GSI-pk": "N"}
    definitions = [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]
    kept.client.more = {kept.table: {"AttributeDefinitions": definitions}}
    kept.client.fail("put_item", error("ValidationException"))
    kept.put(sample.item("p", "a"))
    caplog.clear()
    record = kept.record("REMOVE", sample.item("p", "b"))
    assert kept.handle(record) == [record["dynamodb"]["SequenceNumber"]]
    assert vars(caplog.records[0])["counts"]["outcomes"] == {"InputError": 1}


def ended_with(kept: KeptMarkers, marker: Item, caplog: pytest.LogCaptureFixture) -> tuple[list[Item], dict[str, Any]]:
    """Return what is left, and the counts, when the last item of a collection goes whose marker's place has this."""
    kept.put(marker)
    caplog.clear()
    assert kept.handle(kept.record("REMOVE", sample.item("p", "a"))) == []
    return kept.items(), vars(caplog.records[0])


def test_a_marker_that_the_keeper_put_or_a_job_of_its_environment_goes(
    kept: KeptMarkers, caplog: pytest.LogCaptureFixture
) -> None:
    ours = kept.marker("p")
    by_a_job = {**ours, MARK: {"S": of_job(kept.home, "job-1", "2026-01-01T00:00:00Z")}}
    for marker in (ours, by_a_job):
        left, line = ended_with(kept, marker, caplog)
        assert (left, line["counts"]["outcomes"], line["counts"]["deleted"]) == ([], {"agrees": 1}, 1)


@pytest.mark.parametrize("mark", [None, {"S": "job-1"}, {"S": "dev-fedcba9876543210/keeper"}, {"N": "1"}])
def test_a_marker_without_its_mark_is_never_deleted_and_counted(
    kept: KeptMarkers, mark: dict[str, str] | None, caplog: pytest.LogCaptureFixture
) -> None:
    theirs: Item = {**TEMPLATE, "name": {"S": "Jane"}, "balance": {"N": "7"}, **({MARK: mark} if mark else {})}
    for item in (theirs, {name: value for name, value in theirs.items() if name not in ("name", "balance")}):
        left, line = ended_with(kept, item, caplog)
        assert (left, line["counts"]["outcomes"], line["levelname"]) == ([item], {"unmarked": 1}, "WARNING")


def test_what_events_cost_is_what_the_documents_say(kept: KeptMarkers, caplog: pytest.LogCaptureFixture) -> None:
    a, b = sample.item("p", "a"), sample.item("p", "b")
    events: dict[str, Callable[[], dict[str, Any]]] = {
        "a collection's first item": lambda: kept.put(a),
        "its marker, put by the keeper": lambda: kept.record("INSERT", TEMPLATE),
        "another item": lambda: kept.put(b),
        "an item is removed, others stay": lambda: kept.delete(b),
        "a collection's last item is removed": lambda: kept.delete(a),
        "its marker, deleted by the keeper": lambda: kept.record("REMOVE", TEMPLATE),
    }
    found = {}
    for event, happen in events.items():
        caplog.clear()
        assert kept.handle(happen()) == []
        counts = vars(caplog.records[0])["counts"]
        is_empty = not kept.items()  # dynalite charges nothing for a Query that finds nothing, DynamoDB a unit
        # A write is one unit in the table and one in the index, which dynalite does not count.
        found[event] = (counts["requests"], counts["read_units"] + is_empty, 2 * (counts["put"] + counts["deleted"]))
    table = Path("docs/markers.md").read_text().split("| event |", 1)[1].split("\n\n", 1)[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    assert {row[0]: (len(row[1].split(",")), float(row[2]), int(row[3])) for row in rows} == found
