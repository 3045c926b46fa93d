"""docs/commands.md is what the commands say of themselves, and every example in it is a right command line."""

import re
import shlex
from pathlib import Path

import pytest

from local.reference import reference
from skipscan.cli.commands import COMMANDS, performed
from tests.house.docs.document import DOCUMENTS, code

DOCUMENT = Path("docs/commands.md")


def test_the_document_is_current() -> None:
    assert DOCUMENT.read_text() == reference(), "python -m local.reference > docs/commands.md"


EXAMPLES = re.findall(r"^skipscan (\w+) (.*)$", DOCUMENT.read_text(), re.MULTILINE)
SHOWN = re.compile(r"^(?:\$ )?skipscan (\w.*)$", re.MULTILINE)
LINES = sorted({line for document in DOCUMENTS for line in SHOWN.findall(code(document))})


@pytest.mark.parametrize("line", LINES)
def test_a_command_line_that_a_document_shows_is_right(
    line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SKIPSCAN_ENV", "dev")
    monkeypatch.chdir(tmp_path)
    Path("tenants.txt").touch()
    words = shlex.split(re.split(r" (?:>|>>|\|) ", line)[0], comments=True)
    commands = performed(words[0])
    name = next(name for name in (" ".join(words[:2]), words[0]) if name in commands)
    commands[name].make_context(name, words[len(name.split()) :])


def test_every_command_has_examples() -> None:
    assert {name for name, _ in EXAMPLES} == set(COMMANDS)
