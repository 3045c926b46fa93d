"""Messages on a terminal: whole words, whole commands, links that can be copied."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.cli.output import print_json
from skipscan.cli.say import say, wrapped

MESSAGE = (
    'skipscan: name is "first"; table "Orders" has no run or job with this name in dev: '
    "`skipscan runs Orders --env dev` lists them, and https://us-east-1.console.aws.amazon.com/states/home?region=us-east-1#/v2/executions/details/arn:aws"
    ":states:us-east-1:123456789012:execution:skipscan-dev:20261124-062538-9692 shows it (see docs/errors.md)"
)


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_words_commands_and_links_stay_whole(columns: int) -> None:
    lines = wrapped(MESSAGE, columns).split("\n")
    assert " ".join(lines) == MESSAGE
    assert any("`skipscan runs Orders --env dev`" in line for line in lines)
    assert [line for line in lines if len(line) > columns] == [line for line in lines if line.startswith("https://")]


@pytest.mark.parametrize("program", ["skipscan", "aws"])
def test_a_command_at_the_end_has_a_line_of_its_own(program: str) -> None:
    command = f"{program} s3 rb --force s3://skipscan-dev-results"
    assert wrapped(f"  bucket skipscan-dev-results; to remove it: {command}", 60).endswith(f"\n  {command}")


def test_a_name_does_not_turn_a_message_around(capsys: pytest.CaptureFixture[str]) -> None:
    say('attribute "a\u202eb\x1b[2J" is missing')
    assert capsys.readouterr().err == 'skipscan: attribute "a\ufffdb\ufffd[2J" is missing\n'


@given(st.text(alphabet="ab `\n-", max_size=200), st.integers(20, 60))
def test_no_character_but_space_is_lost_and_no_line_is_longer_than_it_must_be(text: str, columns: int) -> None:
    drawn = wrapped(text, columns)
    assert re.sub(r"\s", "", drawn) == re.sub(r"\s", "", text)
    longest = max((len(word) for word in re.split(r"\s", text)), default=0)
    assert max(map(len, drawn.split("\n"))) <= max(columns, longest)


def test_a_document_is_readable_in_any_language(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"run": "größe"})
    assert capsys.readouterr().out == '{\n  "run": "größe"\n}\n'
