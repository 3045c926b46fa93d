"""A run that counts: its parts, how it goes on after a budget, and what uses its results."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from skipscan.cli.download import write_keys
from skipscan.listing.kind import LISTING
from skipscan.report.listing import listing as report_of
from skipscan.report.record import read_work
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import MARKER, Acting
from tests.fakes.handlers.execution import Machine
from tests.unit.report.local import local

LENGTHS = {f"{pk}": 1 + pk * 7 % 30 for pk in range(23)}


@pytest.fixture(autouse=True)
def letters(dynamodb: FakeDynamoDB) -> None:
    items: list[Item] = [
        {"pk": {"S": pk}, "sk": {"S": f"{n:02d}"}, "text": {"B": bytes(1000)}}
        for pk, length in LENGTHS.items()
        for n in range(length)
    ]
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)


def found(listing: Machine) -> dict[str, tuple[int, bool]]:
    return {line["pk"]: (line["count"], line["more"]) for line in listing.lines()}


@pytest.mark.parametrize("up_to", [None, 9])
def test_each_line_has_the_key_the_count_and_its_read_units(listing: Machine, up_to: int | None) -> None:
    take = {"count": {} if up_to is None else {"up_to": up_to}}
    output = listing.run({"table": "T-1", "take": take, "segments": 3})
    assert found(listing) == {
        key: (length, False) if up_to is None or length <= up_to else (up_to, True) for key, length in LENGTHS.items()
    }
    assert all(list(line) == ["pk", "count", "more", "read_units", "read"] for line in listing.lines())
    assert sum(line["read_units"] for line in listing.lines()) == pytest.approx(output["read_units"], abs=1.5)
    manifest = json.loads(listing.read("skipscan/T-1/runs/run-1/manifest.json"))
    assert (manifest["take"], manifest["keys"]) == (take, len(LENGTHS))


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_the_largest_are_one_query_away(
    listing: Machine, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing.run({"table": "T-1", "take": {"count": {}}, "format": form})
    manifest = json.loads(listing.read("skipscan/T-1/runs/run-1/manifest.json"))
    bodies = [listing.read(part) for part in listing.objects("/T-1/runs/run-1/keys/")]
    monkeypatch.chdir(tmp_path)
    write_keys(bodies, manifest, Path("counts.parquet"), "parquet")
    rows = duckdb.execute(
        'SELECT pk, "count", more, typeof("count"), typeof(read_units) FROM \'counts.parquet\' ORDER BY 2 DESC'
    ).fetchall()
    assert {row[0]: row[1] for row in rows} == LENGTHS
    assert {row[2:] for row in rows} == {(False, "BIGINT", "DOUBLE")}
    assert rows[0][1] == max(LENGTHS.values())


def test_the_report_shows_the_distribution_and_no_names(listing: Machine, tmp_path: Path) -> None:
    listing.run({"table": "T-1", "take": {"count": {}}, "segments": 2})
    folder = tmp_path / "run"
    for name in listing.objects("/T-1/runs/run-1/"):
        file = folder / name.partition("/run-1/")[2]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(listing.read(name))
    report: Any = report_of(read_work(LISTING, local(folder)))
    assert report.lengths
    assert (report.lengths.whole, report.lengths.cut) == (len(LENGTHS), 0)
    ones = sum(length == 1 for length in LENGTHS.values())
    assert {bar.label: bar.share for bar in report.lengths.bars}["1"] == pytest.approx(ones / len(LENGTHS))
    largest = sorted(LENGTHS.values())[-(len(LENGTHS) // 10) :]
    assert report.lengths.largest == pytest.approx((sum(largest) / sum(LENGTHS.values()),))


@pytest.mark.parametrize("form", ["dynamodb-jsonl", "csv"])
def test_items_become_a_table(listing: Machine, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listing.run({"table": "T-1", "take": {"items": "all", "most": 2, "order": "descending"}, "format": form})
    manifest = json.loads(listing.read("skipscan/T-1/runs/run-1/manifest.json"))
    bodies = [listing.read(part) for part in listing.objects("/T-1/runs/run-1/keys/")]
    monkeypatch.chdir(tmp_path)
    write_keys(bodies, manifest, Path("items.parquet"), "parquet")
    rows = duckdb.execute("SELECT pk, item.sk FROM 'items.parquet'").fetchall()
    assert sorted(rows) == sorted(
        (key, f"{n:02d}") for key, length in LENGTHS.items() for n in range(max(0, length - 2), length)
    )


def test_an_act_and_a_comparison_refuse_such_a_run(acting: Acting, listing: Machine) -> None:
    listing.run({"table": "T-1", "take": {"items": "all"}})
    refused = acting.act(put_item=MARKER, workers=2)
    assert "it has a line for each item" in refused["cause"]
    compared = listing.run({"table": "T-1", "take": {"items": "all"}, "compare": "run-1"}, "other")
    assert "runs are compared by their keys" in compared["cause"]
