"""The options in the help of every command: in groups, each with a text, and in columns."""

import re

import click
import pytest

from skipscan.cli.commands import COMMANDS, performed
from skipscan.cli.main import skipscan

PERFORMED = performed(*COMMANDS)


def titles(name: str, columns: int = 80) -> dict[str, str]:
    """Return the parts of a command's help by their titles."""
    context = click.Context(PERFORMED[name], info_name=name, parent=click.Context(skipscan), terminal_width=columns)
    parts = re.split(r"^([A-Z][a-z ]+):\n", PERFORMED[name].get_help(context), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("columns", [80, 100, 120])
@pytest.mark.parametrize("name", PERFORMED)
def test_the_texts_of_all_groups_begin_in_one_column(name: str, columns: int) -> None:
    shown = "".join(titles(name, columns).values()).partition("\n  Examples:\n")[0]
    begins = {len(found[1]) for found in re.finditer(r"^(  -\S.*?  +)\S", shown, re.MULTILINE) if len(found[1]) < 40}
    begins |= {len(found[1]) for found in re.finditer(r"^( {10,})\S", shown, re.MULTILINE)}
    assert len(begins) == 1
    assert max(map(len, shown.splitlines())) <= columns
