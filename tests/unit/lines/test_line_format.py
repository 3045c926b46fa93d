"""No character of a key breaks a line, and records are told apart from lines."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    whole = replace(JSONL, is_whole=lambda piece: piece.count(b'"') % 2 == 0)
    assert list(whole.records(body)) == [b"a\n", b'"b\nc"\n', b'"d\n']
