"""docs/reference-results.md and docs/questions.md show lines as parts have them."""

from pathlib import Path

import pytest

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.formats import STORED, encoder
from skipscan.listing.kind import LISTING
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import run
from tests.house.docs.document import rows

PAGE, QUESTIONS = Path("docs/reference-results.md"), Path("docs/questions.md")
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


def test_the_lines_of_a_level_are_those_of_a_run_over_the_items_above_them() -> None:
    items = [tuple(cell.strip("`") for cell in cells) for cells in rows(QUESTIONS, "## Levels")]
    client = FakeDynamoDB()
    client.add(
        TableDefinition("Orders", KeySchema.of(("customer", "S"), ("sk", "S"))),
        [{"customer": {"S": customer}, "sk": {"S": sk}} for customer, sk in items],
    )
    outcome = run(client, table="Orders", segments=1, workers=1, delimiter="#")
    shown = QUESTIONS.read_text().split("<!-- levels:begin -->")[1].split("<!-- levels:end -->")[0]
    lines = b"".join(map(LISTING.encoder(outcome.plan), outcome.keys)).decode()
    assert sorted(shown.strip().splitlines()[1:-1]) == sorted(lines.splitlines())
    assert len(items) == 5
