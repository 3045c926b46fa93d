"""What a person sees of the indexes that a retrofit has counted."""

from datetime import UTC, datetime
from typing import Any

import pytest

from skipscan.cli.board import board, plain, status_line
from skipscan.environment.status import State, Status
from skipscan.loop.finish import manifest
from skipscan.loop.proof import StoredParts
from skipscan.report.work import job
from tests.unit.loop.test_proof import NAMED, PARTS, WHOLE
from tests.unit.report.test_work import of

NOW = datetime(2026, 1, 1, 1, tzinfo=UTC)
WHOLE_COUNT = {"entries": 505, "requests": 2, "read_units": 3.5, "stopped_by": None}
STOPPED = {"entries": None, "requests": 2, "read_units": 3.5, "stopped_by": "budget"}
COUNTS: list[tuple[dict[str, Any], list[str]]] = [
    ({"by-all-three": WHOLE_COUNT}, ["index by-all-three: 505 of 505 items"]),
    ({"by-all-three": STOPPED}, ["index by-all-three: not counted to its end (budget); 505 items have its keys"]),
    (
        {"by-a": {**WHOLE_COUNT, "entries": 300}, "by-b": {**WHOLE_COUNT, "entries": 204}},
        ["index by-a: 300 entries", "index by-b: 204 entries", "all indexes: 504 of 505 entries"],
    ),
]


def finished(indexes: dict[str, Any]) -> Status:
    whole = WHOLE["retrofit"]
    work = whole.kind.begun(NAMED, whole.plan)
    counts = whole.reached[0].counts + whole.reached[1].counts
    document = {
        **manifest(whole.kind, work, StoredParts(2, PARTS).rows, counts, whole.reached),
        "indexed": 505,
        "indexes": indexes,
    }
    return Status(whole.kind, "T", "run-1", State.FINISHED, NOW, plan=work.to_json(), manifest=document)


@pytest.mark.parametrize(("indexes", "said"), COUNTS)
def test_the_count_is_in_the_ending_the_status_the_json_and_the_report(
    indexes: dict[str, Any], said: list[str]
) -> None:
    status = finished(indexes)
    drawn = " ".join(plain(board(status, None, NOW)).split())
    report = " ".join(
        f"{name}: {text}" for name, text in job(status.kind, of("retrofit", indexed=505, indexes=indexes)).facts
    )
    for one in said:
        name, _, text = one.partition(": ")
        assert f"{name} {text}" in drawn
        assert one in status_line(status, None, NOW)
        assert one[0].upper() + one[1:] in report
    assert status.to_json()["indexes"] == indexes
