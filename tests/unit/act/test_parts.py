"""The sample of a run's keys: one from each of some slices, however long a line is."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.act.parts import SAMPLED_BYTES, Parts, Slice, cut, read_lines, slices
from skipscan.errors import IncompleteRunError
from skipscan.loop.storage import Stored, checksum
from tests.refusal import refused


class Memory:
    """A storage of one part, which reports no checksum of its own."""

    def __init__(self, *lines: bytes) -> None:
        self.body = b"".join(lines)
        storage: Any = self
        self.parts = Parts(storage)

    def look(self, name: str) -> Stored:
        return Stored(name, len(self.body), {})

    def get(self, name: str) -> bytes:
        return self.body

    def get_range(self, name: str, start: int, end: int) -> tuple[bytes, int]:
        return self.body[start:end], len(self.body)

    def sample(self, **changed: Any) -> list[str]:
        part = {"name": "part-1", "bytes": len(self.body), "sha256": checksum(self.body), **changed}
        manifest = {"format": "jsonl", "partition_key": [{"name": "pk", "type": "S"}], "parts": [part]}
        return [key["pk"]["S"] for key in self.parts.sample(manifest)]


def line(value: str) -> bytes:
    return b'{"pk": "%s"}\n' % value.encode()


@pytest.mark.parametrize("characters", [3, SAMPLED_BYTES, 3 * SAMPLED_BYTES])
def test_a_sample_has_a_key_of_a_run_whose_lines_are_long(characters: int) -> None:
    """A line with an item may be longer than one read of the sample."""
    assert Memory(line("x" * characters), line("y")).sample()[0] == "x" * characters


def test_slices_cover_every_byte_of_every_part_once() -> None:
    parts = [{"name": str(size), "bytes": size, "sha256": f"sum of {size}"} for size in (25, 0, 10, 1)]
    found = slices(parts, 10)
    assert [(one.part, one.start, one.end) for one in found] == [
        (0, 0, 10),
        (0, 10, 20),
        (0, 20, 25),
        (2, 0, 10),
        (3, 0, 1),
    ]
    assert {(one.name, one.bytes, one.sha256) for one in found} == {
        ("25", 25, "sum of 25"),
        ("10", 10, "sum of 10"),
        ("1", 1, "sum of 1"),
    }


def test_a_part_whose_records_may_hold_line_ends_is_one_slice_however_large() -> None:
    parts = [{"name": str(size), "bytes": size, "sha256": ""} for size in (5 << 20, 0, 10)]
    assert [(one.part, one.start, one.end) for one in cut({"format": "csv", "parts": parts})] == [
        (0, 0, 5 << 20),
        (2, 0, 10),
    ]
    assert len(cut({"format": "jsonl", "parts": parts})) == 6


LINES = st.lists(st.binary(max_size=12).map(lambda text: text.replace(b"\n", b"") + b"\n"), max_size=30)


def read(one: Slice, offset: int | None, body: bytes, most: int | None = None) -> list[tuple[bytes, int]]:
    """Return a slice's lines, each with the place behind it, until there are so many."""
    found: list[tuple[bytes, int]] = []
    reading = read_lines(one, offset, lambda line, end: found.append((line, end)), 7)
    with suppress(StopIteration):
        wanted = next(reading)
        while most is None or len(found) < most:
            assert wanted.end <= len(body)
            wanted = reading.send(body[wanted.start : wanted.end])
    return found


@given(LINES.filter(bool), st.integers(1, 40), st.data())
def test_reading_continues_at_any_line_of_a_slice(lines: list[bytes], slice_bytes: int, data: st.DataObject) -> None:
    body = b"".join(lines)
    one = data.draw(st.sampled_from(slices([{"name": "p", "bytes": len(body), "sha256": ""}], slice_bytes)))
    whole = read(one, None, body)
    before = read(one, None, body, data.draw(st.integers(1, 30)))
    if before:
        assert before + read(one, before[-1][1], body) == whole


def test_the_header_of_a_part_is_no_key() -> None:
    (one,) = slices([{"name": "p", "bytes": 5, "sha256": ""}])
    found: list[bytes] = []
    reading = read_lines(one, None, lambda line, _: found.append(line), has_header=True)
    next(reading)
    with suppress(StopIteration):
        reading.send(b"pk\na\n")
    assert found == [b"a\n"]


def test_a_part_that_somebody_changed_gives_no_sample() -> None:
    changed = Memory(line("x"))
    for _ in range(2):  # not only the first time
        with refused(IncompleteRunError, "part-1", rule="12 bytes .*SHA-256"):
            changed.sample(sha256=checksum(b"other"))
    with refused(IncompleteRunError, "part-1", rule="99 bytes"):
        Memory(line("x")).sample(bytes=99)
