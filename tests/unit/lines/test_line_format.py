"""No character of a key breaks a line, and records are told apart from lines."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.lines.csv import CSV
from skipscan.lines.json_lines import JSONL


def test_a_record_ends_where_the_format_says_so() -> None:
    body = b'a\n"b\nc"\n"d\n'
    assert list(JSONL.records(body)) == [b"a\n", b'"b\n', b'c"\n', b'"d\n']
    assert list(replace(JSONL, quote=b'"').records(body)) == [b"a\n", b'"b\nc"\n', b'"d\n']


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"suffix": "xyz"}, "inputs/names.py"), ({"taking": None}, "taking"), ({"taken": None}, "taken")],
)
def test_a_format_that_a_run_s_parts_could_not_have_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(CSV, **changes)
