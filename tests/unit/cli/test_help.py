"""The options in the help of every command: in groups, each with a text, and in columns."""

import re

import click
import pytest

from skipscan.cli.commands import COMMANDS, performed
from skipscan.cli.main import skipscan
from skipscan.cli.options import GroupedCommand, group_of
from skipscan.inputs.fields import OptionGroup

PERFORMED = performed(*COMMANDS)


def titles(name: str, columns: int = 80) -> dict[str, str]:
    """Return the parts of a command's help by their titles."""
    context = click.Context(PERFORMED[name], info_name=name, parent=click.Context(skipscan), terminal_width=columns)
    parts = re.split(r"^([A-Z][a-z ]+):\n", PERFORMED[name].get_help(context), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_the_options_of_keys_are_in_groups() -> None:
    shown = titles("keys")
    assert [*shown] == ["What to read", "How much to spend", "Where to put it", "Connection", "Advanced"]
    for group, options in {
        "What to read": ("--index", "--prefix", "--last", "--consistent-read"),
        "How much to spend": ("--max-read-units-per-second", "--max-dollars"),
        "Where to put it": ("--folder", "--format", "--summary"),
        "Connection": ("--region", "--profile", "--endpoint-url"),
        "Advanced": ("--segments", "--strategy", "--help"),
    }.items():
        for option in options:
            assert option in shown[group], (group, option)


@pytest.mark.parametrize("name", PERFORMED)
def test_every_option_of_a_command_declares_its_group(name: str) -> None:
    command = PERFORMED[name]
    assert isinstance(command, GroupedCommand)
    options = [one for one in command.params if isinstance(one, click.Option)]
    assert all("group" in vars(one) for one in options), [one.name for one in options if "group" not in vars(one)]
    assert {group_of(one) for one in options} <= {*OptionGroup}
    assert all((one.help or "").endswith(".") for one in options)


@pytest.mark.parametrize("columns", [80, 100, 120])
@pytest.mark.parametrize("name", PERFORMED)
def test_the_texts_of_all_groups_begin_in_one_column(name: str, columns: int) -> None:
    shown = "".join(titles(name, columns).values()).partition("\n  Examples:\n")[0]
    begins = {len(found[1]) for found in re.finditer(r"^(  -\S.*?  +)\S", shown, re.MULTILINE) if len(found[1]) < 40}
    begins |= {len(found[1]) for found in re.finditer(r"^( {10,})\S", shown, re.MULTILINE)}
    assert len(begins) == 1
    assert max(map(len, shown.splitlines())) <= columns
