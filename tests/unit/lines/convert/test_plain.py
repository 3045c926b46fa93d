"""Many lines at once are what the formats' own encoders write for each of them, whatever the keys are."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.convert import FEW, PlainKeys, changed
from skipscan.lines.formats import FORMATS, STORED, encoder

PAIRS = list(product(STORED, FORMATS))
PLAIN = {"S": ["a-7", "1", "Ab", "customer#9 x/y"], "N": ["1", "17", "9007", "0", "1.5", "1E+20", "1e-7"]}
ODD = {
    "S": ['"', "a,b", "=1+1", "-1", "@x", " a", "a ", "", "\\", "a\nb", "a\r\n", "größe", "\u2028", "\x7f", "'"],
    "N": ["-1", "-0", "-1.50", "007", "1-1", "1.", ".5", "1.1.1", "1E", "+1", "", "1_0"],
}
KEYS = {
    "S": st.sampled_from(ODD["S"] + PLAIN["S"]) | st.text(max_size=3) | st.text("aZ7 =-+@,\"'", max_size=3),
    "N": st.sampled_from(ODD["N"] + PLAIN["N"]) | st.integers().map(str),
}


def source(kind: str) -> Source:
    return Source("Orders", None, SourceKind.TABLE, (KeyAttribute('1"1,', kind),), (), ())


def lines(kind: str, form: str, keys: list[str]) -> list[bytes]:
    return [encoder(source(kind), form)({kind: key}) for key in keys]


def plain_keys(kind: str, stored: str, form: str) -> PlainKeys:
    return PlainKeys(kind, encoder(source(kind), stored), encoder(source(kind), form))


@given(st.data())
@pytest.mark.parametrize("kind", PLAIN)
def test_what_is_changed_at_once_is_what_an_encoder_writes(kind: str, data: st.DataObject) -> None:
    stored, form = data.draw(st.sampled_from(PAIRS))
    keys = data.draw(st.lists(KEYS[kind], min_size=1, max_size=4))
    found = plain_keys(kind, stored, form).change(lines(kind, stored, keys))
    assert found in (None, b"".join(lines(kind, form, keys)))


@pytest.mark.parametrize(("stored", "form"), PAIRS)
@pytest.mark.parametrize("kind", PLAIN)
def test_plain_keys_are_changed_at_once(kind: str, stored: str, form: str) -> None:
    found = plain_keys(kind, stored, form).change(lines(kind, stored, PLAIN[kind]))
    assert found == b"".join(lines(kind, form, PLAIN[kind]))


@pytest.mark.parametrize(
    ("key", "form"), [("a,b", "csv"), ("=1+1", "csv-safe"), (" a", "csv"), ("a ", "csv"), ("", "csv"), ('"', "text")]
)
def test_what_a_format_writes_otherwise_is_not_plain(key: str, form: str) -> None:
    assert plain_keys("S", "jsonl", form).change(lines("S", "jsonl", ["a", key, "b"])) is None


@pytest.mark.parametrize("stored", STORED)
@pytest.mark.parametrize("strange", [b"abc\n", b"\n", b"", b'{"other": "a"}\n', b"a\r"])
def test_a_line_that_is_no_key_is_left_to_its_decoder(stored: str, strange: bytes) -> None:
    one, two = lines("S", stored, ["a", "b"])
    for found in ([one, strange, two], [strange, one], [one, strange]):
        assert plain_keys("S", stored, "text").change(found) is None


def test_only_the_lines_near_an_odd_key_are_changed_one_by_one() -> None:
    keys = [f"customer-{number}" for number in range(20 * FEW)]
    keys[7] = 'an "odd" one'
    alone: list[bytes] = []

    def convert(line: bytes) -> bytes:
        alone.append(line)
        return line.replace(b"customer", b"CUSTOMER")

    plain, stored = plain_keys("S", "jsonl", "text"), lines("S", "jsonl", keys)
    found = b"".join(changed(stored, plain, convert))
    assert lines("S", "jsonl", [keys[7]])[0] in alone
    assert len(alone) <= FEW
    assert found.endswith(b"".join(lines("S", "text", keys[FEW:])))
    assert found.startswith(b"".join(map(convert, stored[:7])))
