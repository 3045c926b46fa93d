"""No character of a key breaks a line, and records are told apart from lines."""

import json
from dataclasses import replace
from typing import Any

import pytest

from skipscan.lines.csv import CSV
from skipscan.lines.json_lines import JSONL
from skipscan.lines.line_format import to_line


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
