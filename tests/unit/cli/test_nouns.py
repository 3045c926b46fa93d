"""What a run lists is called what it is, wherever people read of it: keys, groups or items."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from skipscan.cli.commands.report import report_command
from skipscan.cli.into_folder import listed_into
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.listing.execution_input import parse
from tests.fakes.definition import KeySchema, TableDefinition
from tests.unit.folder.local_listing import Client

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("asked", "said", "answer"),
    [
        ({}, "2 keys", "2 distinct partition keys for"),
        ({"delimiter": "#"}, "3 groups", "3 groups for"),
        ({"take": {"items": "all"}}, "4 items", "4 items for"),
        ({"take": {"count": {}}, "delimiter": "#"}, "3 groups", "3 groups for"),
    ],
)
def test_a_listing_into_a_folder_and_its_report_say_what_it_lists(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: dict[str, object], said: str, answer: str
) -> None:
    client: Any = Client()
    client.engine.add(TableDefinition("Events", KeySchema.of(("device", "S"), ("sk", "S"))))
    for device, sk in (("a", "IN#1"), ("a", "IN#2"), ("a", "OUT#1"), ("b", "IN#1")):
        client.engine.table("Events").put({"device": {"S": device}, "sk": {"S": sk}})
    listed_into(tmp_path / "run", parse({"table": "Events", "workers": 1, **asked}), client, lambda _: US_EAST_1)
    assert f"{said} in" in capsys.readouterr().err
    made = CliRunner().invoke(report_command, [str(tmp_path / "run"), "--output", str(tmp_path / "page.html")])
    assert made.exit_code == 0, made.output
    page = (tmp_path / "page.html").read_text()
    assert answer in page
    noun = said.split()[1]
    assert f"each {noun.removesuffix('s')} once" in page
    assert f"Total of {noun} over time" in page
    assert ("Total of keys" in page) == (noun == "keys")
