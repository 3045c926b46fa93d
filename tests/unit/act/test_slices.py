"""Parts are cut into slices that cover every byte once, unless a record may hold line ends."""

from skipscan.act.parts import SLICE_BYTES, cut, slices
from tests.unit.act.line_reader.test_csv_parts import manifest


def test_a_part_of_csv_is_one_slice_and_one_of_json_lines_is_cut() -> None:
    body = b"x" * (3 * SLICE_BYTES)
    assert [(one.start, one.end) for one in cut(manifest(body, "csv"))] == [(0, len(body))]
    assert len(cut(manifest(body, "jsonl"))) == 3
    assert cut({"format": "csv", "parts": []}) == []


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
