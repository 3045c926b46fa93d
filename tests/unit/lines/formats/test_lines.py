"""A key is one line, and the line is the key."""

import base64
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.formats import encoder

ANY_TEXT = st.text(st.characters(exclude_categories=[]))  # lone surrogates and control characters too
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=12).map(str) | st.sampled_from(
    ["1E+125", "-0.00", "12.50", "99999999999999999999999999999999999999", ".5", "+7"]
)
VALUES = (
    st.builds(lambda content: {"S": content}, ANY_TEXT)
    | st.builds(lambda content: {"N": content}, NUMBERS)
    | st.builds(lambda content: {"B": content}, st.binary())
)


def source(*names: str) -> Source:
    return Source("T", None, SourceKind.TABLE, tuple(KeyAttribute(name, "S") for name in names), (), ())


@given(ANY_TEXT, VALUES)
def test_json_lines_hold_every_key_exactly(name: str, value: dict[str, Any]) -> None:
    line = encoder(source(name), "jsonl")(value)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    ((kind, content),) = value.items()
    (found,) = json.loads(line, parse_float=str, parse_int=str).values()
    if kind == "B":
        assert base64.b64decode(found) == content
    else:
        assert found == content


@given(ANY_TEXT, VALUES)
def test_dynamodb_json_lines_keep_the_type(name: str, value: dict[str, Any]) -> None:
    ((kind, content),) = value.items()
    written = base64.b64encode(content).decode() if kind == "B" else content
    assert json.loads(encoder(source(name), "dynamodb-jsonl")(value)) == {name: {kind: written}}
    assert json.loads(encoder(source(name), "dynamodb-import")(value)) == {"Item": {name: {kind: written}}}


@given(VALUES)
def test_text_is_one_line_for_any_key(value: dict[str, Any]) -> None:
    line = encoder(source("pk"), "text")(value)
    assert len(line.decode().splitlines()) == 1


def test_text_leaves_an_ordinary_key_as_it_is() -> None:
    assert encoder(source("pk"), "text")({"S": 'a "b" \\ ü 🔑'}) == 'a "b" \\ ü 🔑\n'.encode()
    assert encoder(source("pk"), "text")({"S": "two\nlines"}) == b"two\\nlines\n"


def test_several_key_attributes_stand_side_by_side() -> None:
    key = ({"S": "x"}, {"N": "1.50"})
    assert encoder(source("a", "b"), "jsonl")(key) == b'{"a": "x", "b": 1.50}\n'
    written = b'{"Item": {"a": {"S": "x"}, "b": {"N": "1.50"}}}\n'
    assert encoder(source("a", "b"), "dynamodb-import")(key) == written
    assert encoder(source("a", "b"), "text")(key) == b"x\t1.50\n"
