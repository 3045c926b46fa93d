"""Listings of groups, and of items within a range: what they return, and what the page about the run says of both."""

from html import unescape
from pathlib import Path
from typing import Any

import pytest

import skipscan
from skipscan.errors import InputError
from skipscan.listing.compare.comparison import notice_of
from tests.refusal import refused
from tests.unit.cli.command import invoke
from tests.unit.folder.local_listing import months
from tests.unit.report.elements import parsed


@pytest.mark.parametrize("form", ["jsonl", "dynamodb-jsonl", "dynamodb-import", "csv"])
def test_groups_come_with_their_prefix(tmp_path: Path, form: Any) -> None:
    client, held = months(200)
    assert sorted(skipscan.keys("Months", client=client, prefix_length=7)) == sorted(held)
    run = skipscan.list_into(tmp_path / "run", "Months", client=client, prefix_length=7, format=form)
    assert sorted(run) == sorted(held)
    assert len(run) == len(held)
    assert run.manifest["level"] == {"depth": 1, "prefix_length": 7, "type": "S"}
    table = run.arrow()
    assert table.column_names == ["customer", "prefix"]
    assert {tuple(row.values()) for row in table.to_pylist()} == held
    folder = tmp_path / "run"
    with refused(InputError, "folder", str(folder), rule="prefix_length 7"):
        skipscan.list_into(folder, "Months", client=client, format=form)


def report_of(folder: Path) -> tuple[str, dict[str, str]]:
    """Return the text of the page about a run, and its facts."""
    page = folder.with_suffix(".html")
    assert invoke("report", str(folder), "--output", str(page)).status == 0
    read = parsed(page.read_text())
    facts = next(one for one in read.all("section") if one.attributes.get("aria-labelledby") == "facts")
    terms, said = ([" ".join(one.text.split()) for one in facts.all(name)] for name in ("dt", "dd"))
    return unescape(page.read_text()), dict(zip(terms, said, strict=True))


@pytest.mark.parametrize(
    ("asked", "facts", "sentences"),
    [
        (
            {"delimiter": "-", "depth": 2, "count": 1},
            {"Level": 'delimiter "-", depth 2', "Taken of each": "the number of items, up to 1"},
            [
                "The median group has 1 or more items.",
                "Counted: 30 groups",
                "How many items a group has",
                "30 groups for",
                "each group once",
                "Total of groups over time",
            ],
        ),
        (
            {"since": "2026-05-11", "count": "all"},
            {"Range": '"placed" from a value on', "Taken of each": "the number of items"},
            [
                'The median item collection has 8 to 15 items in a range of "placed".',
                'How many items a key has in a range of "placed"',
                '2 distinct partition keys in a range of "placed" for',
            ],
        ),
        (
            {"prefix_length": 7, "between": ["2026-05-11", "2026-08-10"], "last": ["pad"], "first": "all"},
            {
                "Level": "prefix length 7",
                "Range": '"placed" between two values',
                "Taken of each": "the first item with all attributes; the last item with pad",
            },
            ['8 groups in a range of "placed" for'],
        ),
        (
            {"prefix": "2026-0", "items": ["pad"], "most": 3, "order": "descending"},
            {
                "Range": '"placed" with a prefix',
                "Taken of each": "at most 3 items with pad, in descending order",
            },
            ['18 items in a range of "placed" for', "each item once", "Total of items over time"],
        ),
        (
            {"until": "2026-05-11"},
            {"Range": '"placed" up to a value'},
            ["8 distinct partition keys in a range", "each key once"],
        ),
    ],
)
def test_a_report_says_what_was_asked_for_without_the_bounds(
    tmp_path: Path, asked: dict[str, Any], facts: dict[str, str], sentences: list[str]
) -> None:
    client, _ = months(8)
    run = skipscan.list_into(tmp_path / "run", "Months", client=client, **asked)
    text, found = report_of(tmp_path / "run")
    assert {name: found.get(name) for name in ("Level", "Range", "Taken of each")} == {
        **dict.fromkeys(("Level", "Range", "Taken of each")),
        **facts,
    }
    assert [one for one in sentences if one not in text] == [], text
    notice = notice_of(run.manifest)
    assert ("range" in notice) == ("Range" in facts)
    assert not [bound for bound in ("2026-05-11", "2026-08-10", "2026-0") if bound in found.get("Range", "") + notice]
