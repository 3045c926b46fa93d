"""docs/reference-results.md shows lines as parts have them."""

from pathlib import Path

import pytest

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.formats import STORED, encoder
from tests.house.docs.document import rows

PAGE = Path("docs/reference-results.md")
ROWS = {cells[0].strip("`"): cells[1:] for cells in rows(PAGE, "## The parts")}
KEYS: tuple[AttributeValue, ...] = ({"N": "12.50"}, {"B": b"hi"})


def test_every_format_has_its_row() -> None:
    assert list(ROWS) == list(STORED), f"{PAGE} has a row for each format, in the order of lines/formats.py"


@pytest.mark.parametrize("form", list(STORED))
@pytest.mark.parametrize(("column", "key"), list(enumerate(KEYS)))
def test_a_line_is_written_as_it_is_shown(form: str, column: int, key: AttributeValue) -> None:
    source = Source("Orders", None, SourceKind.TABLE, (KeyAttribute("id", next(iter(key))),), (), ())
    assert form in ROWS, f"{PAGE} has no row of {form}: add it"
    line = encoder(source, form)(key).decode()
    assert line.rstrip("\r\n") == ROWS[form][column].strip("`")
    assert line.endswith("\r\n" if form == "csv" else "\n")
