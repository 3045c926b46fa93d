"""The page about questions shows what a run writes."""

from pathlib import Path

from skipscan.listing.kind import LISTING
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import run
from tests.house.docs.document import rows

PAGE = Path("docs/questions.md")


def test_the_lines_of_a_level_are_those_of_a_run_over_the_items_above_them() -> None:
    items = [tuple(cell.strip("`") for cell in cells) for cells in rows(PAGE, "## Levels")]
    client = FakeDynamoDB()
    client.add(
        TableDefinition("Orders", KeySchema.of(("customer", "S"), ("sk", "S"))),
        [{"customer": {"S": customer}, "sk": {"S": sk}} for customer, sk in items],
    )
    outcome = run(client, table="Orders", segments=1, workers=1, delimiter="#")
    shown = PAGE.read_text().split("<!-- levels:begin -->")[1].split("<!-- levels:end -->")[0]
    lines = b"".join(map(LISTING.encoder(outcome.plan), outcome.keys)).decode()
    assert sorted(shown.strip().splitlines()[1:-1]) == sorted(lines.splitlines())
    assert len(items) == 5
