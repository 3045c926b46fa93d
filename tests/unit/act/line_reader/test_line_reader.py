"""Slices divide all lines without overlap, wherever they cut, and a reader can continue at any line."""

from hypothesis import given
from hypothesis import strategies as st

from skipscan.act.parts import LineReader, slices

LINES = st.lists(st.binary(max_size=12).map(lambda text: text.replace(b"\n", b"") + b"\n"), max_size=30)


def read(reader: LineReader, body: bytes) -> list[bytes]:
    lines = list(reader.lines())
    while (wanted := reader.wanted) is not None:
        assert wanted.end <= len(body)
        reader.feed(body[wanted.start : wanted.end])
        lines += reader.lines()
    assert reader.is_finished
    return lines


@given(LINES, st.integers(1, 40), st.integers(1, 40))
def test_every_line_is_in_exactly_one_slice(lines: list[bytes], slice_bytes: int, chunk_bytes: int) -> None:
    body = b"".join(lines)
    cut = slices([{"name": "p", "bytes": len(body), "sha256": ""}], slice_bytes)
    assert [line for one in cut for line in read(LineReader(one, None, chunk_bytes), body)] == lines


@given(LINES.filter(bool), st.integers(1, 40), st.data())
def test_a_reader_continues_at_any_line_of_its_slice(lines: list[bytes], slice_bytes: int, data: st.DataObject) -> None:
    body = b"".join(lines)
    one = data.draw(st.sampled_from(slices([{"name": "p", "bytes": len(body), "sha256": ""}], slice_bytes)))
    reader = LineReader(one, None, 7)
    before: list[bytes] = []
    stop = data.draw(st.integers(0, 30))
    while len(before) < stop and (wanted := reader.wanted) is not None:
        reader.feed(body[wanted.start : wanted.end])
        for line in reader.lines():
            before.append(line)
            if len(before) == stop:
                break
    at_line = reader.offset == 0 or body[reader.offset - 1 : reader.offset] == b"\n"
    if at_line and before:
        assert before + read(LineReader(one, reader.offset), body) == read(LineReader(one, None), body)


def test_slices_of_several_parts_keep_the_order_of_the_manifest() -> None:
    cut = slices([{"name": name, "bytes": size, "sha256": ""} for name, size in (("a", 5), ("empty", 0), ("b", 3))], 4)
    assert [(one.name, one.part, one.start, one.end) for one in cut] == [("a", 0, 0, 4), ("a", 0, 4, 5), ("b", 2, 0, 3)]
