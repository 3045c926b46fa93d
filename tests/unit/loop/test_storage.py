"""A part holds what was written to it, once."""

import tracemalloc

import pytest

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.formats import encoder
from skipscan.loop.storage import Part

ORDERS = Source("Orders", None, SourceKind.TABLE, (KeyAttribute("customer", "S"),), (KeyAttribute("order", "S"),), ())


@pytest.mark.slow
@pytest.mark.parametrize("page_lines", [1, 50_000])
def test_keeps_its_lines_in_memory_once(page_lines: int) -> None:
    """A batch may gather 32 MiB in a function that has little more than a gigabyte to itself."""
    part, keys = Part(encoder(ORDERS, "jsonl")), [{"S": f"customer-{number:010d}"} for number in range(50_000)]
    tracemalloc.start()
    for begin in range(0, len(keys), page_lines):
        part.write(keys[begin : begin + page_lines])
    body = part.body()
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak_bytes < 1.3 * len(body)


def test_says_how_many_bytes_each_page_added() -> None:
    part = Part(encoder(ORDERS, "jsonl"))
    added = [part.write([{"S": "a"}, {"S": "é"}]), part.write([{"S": "c"}])]
    assert part.body() == '{"customer": "a"}\n{"customer": "é"}\n{"customer": "c"}\n'.encode()
    assert sum(added) == len(part.body())
    assert part.lines == 3
