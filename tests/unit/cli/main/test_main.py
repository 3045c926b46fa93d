"""What every command shares: its line of help, its module, and how little is loaded before it is used."""

import subprocess
import sys

import click
import pytest
from click.shell_completion import ShellComplete

from skipscan.cli.commands import COMMANDS, NOUNS, command
from skipscan.cli.main import skipscan
from skipscan.environment import KINDS
from tests.unit.cli.command import invoke
from tests.unit.cli.program import VARIABLES

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


NO_SUCH_OPTION = [
    "No such option '--max-dolars'. Did you mean '--max-dollars'?",
    "No such option: --max-dolars Did you mean --max-dollars?",  # click 8.2
]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["statsu"], ["No such command 'statsu'. Did you mean 'status'?"]),
        (["xyz"], ["No such command 'xyz'."]),
        (["keys", "Orders", "--max-dolars", "x"], NO_SUCH_OPTION),
    ],
)
def test_a_mistyped_word_gets_the_nearest_ones(typed: list[str], said: list[str]) -> None:
    with pytest.raises(click.UsageError) as caught:
        skipscan.main(typed, standalone_mode=False)
    assert caught.value.format_message() in said


@pytest.mark.parametrize(("typed", "same"), [("help", "--help"), ("help copy start", "copy start --help")])
def test_help_is_a_command_too(typed: str, same: str) -> None:
    assert invoke(*typed.split()) == invoke(*same.split())


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("report --results x", "No such option: --results; it is --folder now"),
        ("act Orders --resume x", "No such option: --resume; skipscan resume TABLE NAME does it"),
    ],
)
def test_a_former_option_is_answered_with_the_present_one(typed: str, said: str) -> None:
    done = invoke(*typed.split())
    assert (done.status, said in " ".join(done.stderr.split())) == (2, True), done.stderr


HELP_AND_COMPLETION = """
import sys
import click
from click.shell_completion import ShellComplete
from skipscan.cli.commands import COMMANDS
from skipscan.cli.main import skipscan
for name in COMMANDS:
    context = click.Context(skipscan, info_name="skipscan")
    print(len(skipscan.get_command(context, name).get_help(context)))
    ShellComplete(skipscan, {}, "skipscan", "X").get_completions([name], "--")
slow = ("boto3", "botocore", "rich", "concurrent.futures", "skipscan.aws", "skipscan.loop")
print([name for name in slow if name in sys.modules], file=sys.stderr)
"""


def test_the_exit_statuses_fit_a_terminal_of_80_columns() -> None:
    shown = skipscan.get_help(click.Context(skipscan, terminal_width=80)).splitlines()
    assert any("or a cut-over" in line for line in shown)
    assert max(map(len, shown)) <= 80


def test_the_help_and_the_options_of_a_command_load_nothing_that_the_command_needs_to_run() -> None:
    program = [sys.executable, "-c", HELP_AND_COMPLETION]
    done = subprocess.run(program, env=VARIABLES, capture_output=True, text=True, check=True)
    assert all(int(length) > 100 for length in done.stdout.split())
    assert done.stderr == "[]\n"


def test_the_options_name_every_kind_of_work() -> None:
    assert list(NOUNS) == list(KINDS)
    assert set(NOUNS) == KINDS.keys()


def test_every_command_has_its_name_and_is_listed_with_its_line() -> None:
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
