"""What a page makes of a plain record: each part of it in its place, and nothing of what is empty."""

from dataclasses import replace
from datetime import UTC, datetime
from math import inf

import pytest

from skipscan.listing.estimate.interval import Interval
from skipscan.report.page import html_page
from skipscan.report.report import BillRow, BillTable, Files, Headline, ListedRun, Report, Saving
from tests.unit.report.elements import Element, faults, notes, parsed, tables

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


def texts(within: Element, name: str, kind: str = "") -> list[str]:
    """Return the texts of elements, with those of what is in them."""

    def whole(element: Element) -> str:
        return element.text + "".join(map(whole, element.children))

    return [whole(each) for each in within.all(name) if not kind or kind in each.classes]


def card(page: Element, heading: str) -> Element:
    return next(each for each in page.all("section") if each.attributes["aria-labelledby"] == heading)


def test_the_head_of_the_page_names_the_work_and_links_to_it() -> None:
    page = drawn()
    assert texts(page, "title") == ["Orders, nightly: Skipscan report"]
    header = next(page.all("header"))
    assert [(each.name, sorted(each.classes)) for each in header.children] == [
        *(("p", ["eyebrow"]), ("h1", []), ("p", ["run"]), ("p", ["complete", "state"]), ("nav", [])),
    ]
    assert (texts(header, "h1"), texts(header, "b")) == (["Orders"], ["nightly"])
    assert texts(header, "p", "state") == ["Complete: all of it"]
    assert next(header.all("nav")).attributes == {"aria-label": "Elsewhere"}
    assert [(each.text, each.attributes) for each in header.all("a")] == [
        ("Execution", {"href": "https://example.com/a", "rel": "noreferrer"}),
        ("manifest.json", {"href": "https://example.com/b", "rel": "noreferrer"}),
    ]
    unfinished = next(drawn(is_complete=False, links=()).all("header"))
    assert [sorted(each.classes) for each in unfinished.children] == [["eyebrow"], [], ["run"], ["state", "unfinished"]]
    skip = next(page.all("a"))
    assert (skip.attributes, skip.text) == ({"class": "skip", "href": "#pictures"}, "Skip to the pictures")
    [pictures] = [each.attributes for each in page.all("div") if each.attributes.get("id") == "pictures"]
    assert pictures == {"id": "pictures", "class": "pictures", "tabindex": "-1"}
    assert texts(page, "footer")[0].startswith("Made 2026-11-02 04:00:00 UTC by Skipscan ")


def test_the_answer_has_its_saving_its_figures_and_what_is_missing() -> None:
    section = card(drawn(), "answer")
    assert texts(section, "h2") == ["2,001 keys."]
    saving, figures = (
        next(each for each in section.all(name) if kind in each.classes)
        for name, kind in (("div", "saving"), ("dl", "figures"))
    )
    assert [each.text for each in saving.all("p")] == [" fewer read units than a full scan, measured"]
    assert [each.text for each in saving.all("b")] == ["4.0 \N{MULTIPLICATION SIGN}", "$0.50"]
    assert [each.text for each in saving.all("dt", "dd")] == ["this run", " instead of $1.00"]
    assert texts(figures, "dt") == ["keys", "read units"]
    assert (texts(figures, "span", "value"), texts(figures, "span", "detail")) == (
        ["2,001", "25"],
        ["measured", "in 1,000 requests"],
    )
    assert texts(section, "p", "notice") == ["Something is missing."]
    bare = card(drawn(saving=None, notices=()), "answer")
    assert [each.name for each in bare.children] == ["h2", "dl"]


def test_the_bill_compares_ways_and_splits_the_first() -> None:
    page = drawn()
    section = card(page, "bill")
    rows = tables(section)["Read units, requests and dollars of each way"]
    assert rows[0] == ["way", "read units", "requests", "dollars", "of which read units"]
    assert [row[1:] for row in rows[1:]] == [["25", "1,000", "$0.50", "$0.25"], ["100", "5", "$1.00", "not billed"]]
    assert texts(section, "span", "name") == ["Skipscan", "Full scan"]
    assert texts(section, "span", "ends") == ["80 to 140"]
    assert [text.strip() for text in texts(section, "span", "basis")] == ["measured", "estimated: a sample"]
    assert [sorted(each.classes) for each in section.all("tr")] == [[], ["ours"], []]
    pieces = [(sorted(each.classes), each.attributes["width"]) for each in section.all("rect")]
    assert pieces == [
        *((["keys", "solid"], "25%"), (["keys", "solid"], "50%")),
        *((["other", "solid"], "100%"), (["other", "solid"], "100%")),
    ]
    split = next(each for each in section.all("dl") if "split" in each.classes)
    assert texts(section, "h3") == ["What the $0.50 pays for"]
    assert texts(split, "dt") == ["Read units", "S3"]
    assert texts(split, "dd") == ["$0.25", "measured", "$0.25", "counted"]
    assert notes(section) == ["A note."]
    assert [each.attributes for each in section.all("h2")] == [{"id": "bill"}]


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((80.0, 140.0), ["80 to 140"]),
        ((80.0, inf), ["80 or more"]),
        ((100.0, 100.04), []),
        ((99.9, 100.0), ["99.9 to 100"]),
    ],
)
def test_the_ends_of_an_interval_are_said_unless_it_is_a_point(ends: tuple[float, float], said: list[str]) -> None:
    row = replace(OTHER, units=Interval(100.0, *ends))
    assert texts(drawn(bill=BillTable("read units", [OURS, row])), "span", "ends") == said


def test_a_bill_of_nothing_is_drawn_without_a_bar() -> None:
    free = replace(OURS, units=Interval.exactly(0.0), dollars=0.0)
    section = card(drawn(bill=BillTable("read units", [free])), "bill")
    assert not list(section.all("rect"))
    assert (texts(section, "h3"), notes(section)) == ([], [])


def test_facts_and_files_come_last() -> None:
    section = card(drawn(), "facts")
    assert (texts(section, "dt"), texts(section, "dd")) == (["Table", "Rate"], ["Orders", "no limit"])
    assert texts(section, "summary") == ["Parts and their checksums"]
    assert tables(section) == {
        "1 part, 30.0 KB in total.": [
            ["part", "keys", "size", "SHA-256"],
            ["worker-0/part-0", "2,001", "30.0 KB", "sha"],
        ]
    }
    assert list(card(drawn(files=None), "facts").all("table")) == []


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


def test_nothing_on_a_plain_page_lacks_its_place_its_style_or_its_words() -> None:
    assert faults(html_page(REPORT, NOW)) == []
    bare = replace(REPORT, links=(), saving=None, bill=None, files=None, facts=(), notices=())
    assert faults(html_page(bare, NOW)) == []
    assert [each.attributes["aria-labelledby"] for each in parsed(html_page(bare, NOW)).all("section")] == [
        "answer",
        "facts",
    ]


@pytest.mark.parametrize("seconds", [0, 61.5])
def test_a_finished_run_is_listed_with_the_figures_of_its_manifest(seconds: float) -> None:
    manifest = {
        **{"run": "nightly", "started": "2026-11-01T03:00:00+00:00", "keys": 40, "requests": 9, "items": 50},
        **{"read_units": 10, "dollars": {"total": 0.5, "units": 0.2}, "seconds": seconds},
    }
    assert ListedRun.of(manifest) == ListedRun("nightly", "2026-11-01T03:00:00+00:00", 40, 10.0, 0.5, seconds)
