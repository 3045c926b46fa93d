"""An attribute that no item has is noticed in parts of every format, and none that an item has."""

from typing import Any

import pytest

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.absent import Absent
from skipscan.lines.formats import STORED, header, line_encoder
from skipscan.scan.take import Ends
from skipscan.scan.taken import Taken

ORDERS = Source("T", None, SourceKind.TABLE, (KeyAttribute("customer", "S"),), (KeyAttribute("placed", "N"),), ())
TAKE = Ends({"first": ("status",), "last": ("total", "placed", "customer")})
MANIFEST = {
    "partition_key": [{"name": "customer", "type": "S"}],
    "sort_key": [{"name": "placed", "type": "N"}],
    "take": TAKE.to_json(),
}


def line(last: dict[str, Any] | None) -> Taken:
    return Taken({"S": "a"}, {"first": {"placed": {"N": "1"}}, "last": last}, "2026-01-31T03:00:00.000+00:00")


def absent(form: str, *lines: Taken) -> str:
    write = line_encoder(ORDERS, form, TAKE)
    body = header(ORDERS, form, TAKE) + b"".join(map(write, lines)) if lines else b""
    return str(Absent.of({**MANIFEST, "format": form}, [b"", body]))


@pytest.mark.parametrize("form", STORED)
def test_what_no_item_has_is_named(form: str) -> None:
    without = line({"placed": {"N": "2"}})
    assert (
        absent(form, without, line(None))
        == "no item had `status` or `total`: check the names of the attributes to take"
    )
    assert absent(form, without, line({"status": {"S": ""}, "total": {"NULL": True}})) == (
        "" if form != "csv" else "no item had `status`: check the names of the attributes to take"
    )
    assert absent(form) == ""
