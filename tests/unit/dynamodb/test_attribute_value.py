"""DynamoDB JSON: read strictly, and written so that it reads back the same."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import from_json, to_json

SCALARS = st.one_of(
    st.builds(lambda v: {"S": v}, st.text()),
    st.builds(lambda v: {"N": v}, st.integers(-(10**37), 10**37).map(str)),
    st.builds(lambda v: {"B": v}, st.binary()),
    st.builds(lambda v: {"BOOL": v}, st.booleans()),
    st.just({"NULL": True}),
    st.builds(lambda v: {"SS": sorted(v)}, st.sets(st.text(), min_size=1)),
    st.builds(lambda v: {"NS": sorted(map(str, v))}, st.sets(st.integers(-(10**37), 10**37), min_size=1, max_size=3)),
    st.builds(lambda v: {"BS": sorted(v)}, st.sets(st.binary(), min_size=1)),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.builds(lambda v: {"L": v}, st.lists(inner, max_size=3))
        | st.builds(lambda v: {"M": v}, st.dictionaries(st.text(), inner, max_size=3))
    ),
    max_leaves=6,
)


@given(VALUES)
def test_what_is_written_reads_back_the_same(value: Any) -> None:
    assert from_json(json.loads(json.dumps(to_json(value)))) == value


@pytest.mark.parametrize(
    "number", ["0", "-0.00", "1E+125", "9" * 38 + "E+88", "1E-130", "1" + "0" * 60, "+5", ".5", "1.", "1e5"]
)
def test_numbers_keep_their_digits(number: str) -> None:
    assert from_json({"N": number}) == {"N": number}


@pytest.mark.parametrize(
    ("document", "what"),
    [
        ({"N": 1}, "is not a valid N in DynamoDB JSON"),
        ({"N": "one"}, "is not a number"),
        *(({"N": text}, "is not a number") for text in ("1_000", " 1", "1\n", "٣", "", "1e", ".", "0x1")),
        ({"N": "NaN"}, "is not a number"),
        ({"N": "1" * 39}, "more than 38 digits"),
        ({"N": "1E+126"}, "outside DynamoDB"),
        ({"N": "1E-131"}, "outside DynamoDB"),
        *(({"N": f"1E{sign}{'9' * 20}"}, "outside DynamoDB") for sign in ("+", "-")),
        ({"B": "?"}, "is not base64"),
        ({"NULL": False}, "valid NULL"),
        ({"SS": []}, "valid SS"),
        ({"SS": ["a", "a"]}, "twice"),
        ({"NS": ["1", "1.0"]}, "twice"),
        ({"L": ["a"]}, "must have exactly one member"),
        ({"M": {"a": {"S": "b", "N": "1"}}}, "must have exactly one member"),
        ({"X": "a"}, "whose name is the value's type"),
    ],
)
def test_anything_else_is_refused(document: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        from_json(document)
