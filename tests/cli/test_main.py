"""What every command shares: its line of help, its module, and how little is loaded before it is used."""

import subprocess
import sys

import click
import pytest
from click.shell_completion import ShellComplete

from skipscan.cli.main import COMMANDS, command, skipscan
from tests.cli.test_keys import VARIABLES

LOADED = """
import sys
from skipscan.__main__ import main
sys.argv = ["skipscan", *{arguments}]
try:
    main()
except SystemExit:
    pass
print([name for name in ("boto3", "botocore", "rich", "concurrent.futures") if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["-h"]])
def test_help_and_version_load_neither_boto3_nor_rich(arguments: list[str]) -> None:
    program = [sys.executable, "-c", LOADED.format(arguments=arguments)]
    done = subprocess.run(program, env=VARIABLES, capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr == "[]\n"


def test_every_command_bears_its_name_and_is_listed_with_its_line() -> None:
    context = click.Context(skipscan, info_name="skipscan")
    drawn = " ".join(skipscan.get_help(context).split())
    for name, line in COMMANDS.items():
        assert command(name).name == name
        assert f"{name} {line}" in drawn


def test_commands_are_completed_without_being_loaded() -> None:
    completed = ShellComplete(skipscan, {}, "skipscan", "_SKIPSCAN_COMPLETE").get_completions([], "st")
    assert [item.value for item in completed] == ["status", "stop"]
    assert {item.value for item in ShellComplete(skipscan, {}, "skipscan", "X").get_completions([], "--v")} == {
        "--version"
    }
