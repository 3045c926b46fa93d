"""What a page makes of a plain record: each part of it in its place, and nothing of what is empty."""

from dataclasses import replace
from datetime import UTC, datetime

from skipscan.report.page import html_page
from skipscan.report.report import BillRow, BillTable, Files, Headline, Report, Saving
from skipscan.sample.interval import Interval
from tests.unit.report.elements import Element, parsed, tables

NOW = datetime(2026, 11, 2, 4, 0, tzinfo=UTC)
OURS = BillRow("Skipscan", Interval.exactly(25.0), Interval.exactly(1_000), 0.5, 0.25, "measured")
OTHER = BillRow("Full scan", Interval(100.0, 80.0, 140.04), Interval(5.0, 4.0, 6.0), 1.0, None, "estimated: a sample")
REPORT = Report(
    noun="run",
    name="nightly",
    subject="Orders",
    is_complete=True,
    status="Complete: all of it",
    answer="2,001 keys.",
    headlines=[Headline("2,001", "keys", "measured"), Headline("25", "read units", "in 1,000 requests")],
    links=[("Execution", "https://example.com/a"), ("manifest.json", "https://example.com/b")],
    saving=Saving(4.0, "read units", "a full scan", "measured", [("this run", 0.5, 1.0)]),
    bill=BillTable(
        "read units", [OURS, OTHER], [("Read units", 0.25, "measured"), ("S3", 0.25, "counted")], ["A note."]
    ),
    facts=[("Table", "Orders"), ("Rate", "no limit")],
    files=Files("keys", [("worker-0/part-0", 2_001, 30_000, "sha")], 1, 30_000, "manifest.json"),
    notices=["Something is missing."],
)


def drawn(**more: object) -> Element:
    return parsed(html_page(replace(REPORT, **more), NOW))  # type: ignore[arg-type]


def card(page: Element, heading: str) -> Element:
    return next(each for each in page.all("section") if each.attributes["aria-labelledby"] == heading)


def test_of_many_files_the_first_are_shown() -> None:
    parts = [{"name": f"s3/keys/part-{n}", "keys": n, "bytes": 10, "sha256": "sha"} for n in range(200)]
    files = Files.of("keys", "keys", [*parts, 7, 8], "manifest.json")
    assert files is not None
    assert (files.count, files.bytes, files.rows[1]) == (
        200 + 2,
        10 * 200 + 15,
        ("part-1", 1, 10, "sha"),
    )
    [caption] = tables(card(drawn(files=files), "facts"))
    assert caption == "202 parts, 2.0 KB in total. The first 200 are shown; manifest.json lists all."
    assert Files.of("keys", "keys", [], "manifest.json") is None
    elsewhere = Files.of("keys", "keys", [{**parts[0], "name": "part"}], "manifest.json")
    assert elsewhere is not None
    assert elsewhere.rows[0][0] == "part"
