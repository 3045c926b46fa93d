"""What a page makes of figures and cards: each part of it in its place, and nothing of what is empty."""

from datetime import UTC, datetime

from skipscan.pace.bill import Bill
from skipscan.report.bill import ComparedWay, bill_card, saving
from skipscan.report.page import Report, files
from skipscan.sample.interval import Interval
from skipscan.stored.figures import Figure
from tests.unit.report.elements import parsed, tables

NOW = datetime(2026, 11, 2, 4, 0, tzinfo=UTC)
HALF, WHOLE = Bill(read_units=0.25, s3=0.25), Bill(read_units=1.0)
OURS = ComparedWay("Skipscan", Interval.exactly(25.0), Interval.exactly(1_000), HALF, "measured")
OTHER = ComparedWay("Full scan", Interval(100.0, 80.0, 140.04), Interval(5.0, 4.0, 6.0), WHOLE, "estimated: a sample")
KNOWN = {"read units": "measured", "S3": "counted"}
SPLIT = [Figure("", None, "$0.25", basis, label=name) for name, basis in KNOWN.items()]
PART = {"name": "s3/keys/worker-0/part-0", "keys": 2_001, "bytes": 30_000, "sha256": "sha"}
REPORT = Report(
    noun="run",
    name="nightly",
    subject="Orders",
    is_complete=True,
    status="Complete: all of it",
    answer="2,001 keys.",
    figures=[
        Figure("keys", 2_001, "2,001", "measured", "count"),
        Figure("read_units", 25, "25", "in 1,000 requests", "units"),
        Figure("", None, "Orders", group="work", label="table"),
        Figure("", None, "no limit", group="limits", label="rate"),
    ],
    links=[("Execution", "https://example.com/a"), ("manifest.json", "https://example.com/b")],
    saving=saving(4.0, "measured", [("this run", 0.5, 1.0)]),
    bill=bill_card("read_units", [OURS, OTHER], SPLIT, ["A note."]),
    files=files("keys", [PART], "manifest.json"),
    notices=["Something is missing."],
)


def test_of_many_files_the_first_are_shown() -> None:
    parts = [{"name": f"s3/keys/part-{n}", "keys": n, "bytes": 10, "sha256": "sha"} for n in range(200)]
    [(caption, rows)] = tables(parsed(str(files("keys", [*parts, 7, 8], "manifest.json")))).items()
    assert caption == "202 parts, 2.0 KB in total. The first 200 are shown; manifest.json lists all."
    assert (len(rows), rows[2]) == (201, ["part-1", "1", "10 B", "sha"])
    assert files("keys", [], "manifest.json") is None
    [elsewhere] = tables(parsed(str(files("keys", [{**parts[0], "name": "part"}], "manifest.json")))).values()
    assert elsewhere[1][0] == "part"
