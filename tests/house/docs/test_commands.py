"""docs/commands.md is what the commands say of themselves, and every example in it is a right command line."""

import re
import shlex
from pathlib import Path

import click
import pytest

from skipscan.cli.commands import COMMANDS, performed
from skipscan.cli.reference import reference
from skipscan.cli.say import STATUSES
from tests.house.docs.document import DOCUMENTS, code

DOCUMENT = Path("docs/commands.md")
ROW = re.compile(r"^- `(--[\w-]+)", re.MULTILINE)
ALSO = re.compile(r"^\[Also\]\(#options-of-several-commands\): (.*)$", re.MULTILINE)


def test_the_document_is_current() -> None:
    assert DOCUMENT.read_text() == reference(), "python -m skipscan.cli.reference > docs/commands.md"


def test_it_has_every_command_option_and_status() -> None:
    text = DOCUMENT.read_text()
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    commands = performed(*COMMANDS)
    assert list(sections)[3:] == list(commands)
    shared = ROW.findall(sections["Options of several commands"])
    assert len(shared) == len(set(shared)) > 8
    for name, one in commands.items():
        section = sections[name]
        options = [option.opts[0] for option in one.params if isinstance(option, click.Option)]
        own, also = ROW.findall(section), re.findall("`(--.+?)`", "".join(ALSO.findall(section)))
        assert sorted(own + also) == sorted(options), f"python -m skipscan.cli.reference > {DOCUMENT}"
        assert set(also) <= set(shared)
        assert len(section.split("```sh\n")[1].splitlines()) > 1, name
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == [str(status) for status in STATUSES]


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
