"""No character of a key breaks a line, and records are told apart from lines."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.lines.csv import CSV
from skipscan.lines.json_lines import JSONL
from skipscan.lines.line_format import escaped, json_string, to_line

BREAKS = [*map(chr, range(32)), *map(chr, range(127, 160)), "\u2028", "\u2029"]


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(BREAKS)))
def test_a_string_is_json_on_one_line(content: str) -> None:
    written = json_string(content)
    assert json.loads(written) == content
    assert len(written.splitlines()) == 1


@pytest.mark.parametrize("character", BREAKS)
def test_every_control_character_is_escaped(character: str) -> None:
    assert json.loads(f'"{escaped(character)}"') == character
    assert escaped(character).isascii()
    assert "\n" not in escaped(character)


def test_a_lone_surrogate_is_the_escape_of_json() -> None:
    assert json.loads(to_line('"\ud800"')) == "\ud800"


def test_a_record_ends_where_the_format_says_so() -> None:
    body = b'a\n"b\nc"\n"d\n'
    assert list(JSONL.records(body)) == [b"a\n", b'"b\n', b'c"\n', b'"d\n']
    assert list(replace(JSONL, quote=b'"').records(body)) == [b"a\n", b'"b\nc"\n', b'"d\n']


class Counting(bytes):
    """Counts the bytes that are looked at, or copied."""

    seen = 0

    def count(self, *args: Any) -> int:
        Counting.seen += len(range(*slice(*args[1:]).indices(len(self))))
        return super().count(*args)

    def find(self, part: Any, begin: Any = 0, end: Any = None) -> int:
        found = super().find(part, begin, end)
        Counting.seen += (found if found >= 0 else len(self)) - begin
        return found

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        Counting.seen += len(found)
        return found


def test_a_value_with_many_line_ends_is_read_once() -> None:
    """Counting all quotes anew at each line end, 240,000 of these took 18 s."""
    Counting.seen, body = 0, Counting(b'a,"%b"\r\nb,\r\n' % (b"x\n" * 10_000))
    assert [len(record) for record in CSV.records(body)] == [20_006, 4]
    assert Counting.seen <= 4 * len(body)


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"suffix": "tsv"}, "inputs/names.py"), ({"taking": None}, "taking"), ({"taken": None}, "taken")],
)
def test_a_format_that_a_run_s_parts_could_not_have_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(CSV, **changes)
