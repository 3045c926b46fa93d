"""What a mistyped command line is answered: click's messages in plain words, with the way out."""

import re
import sys

import click

from skipscan.cli.commands import COMMANDS, option_names, options_of, performed
from skipscan.cli.options import LIKE, closest

NUMBERS = {
    r"is not a valid float": "is no number: write digits and a point alone, such as 1000 or 0.5",
    r"is not a valid integer( range)?": "is no whole number: write digits alone, such as 2",
    r"(\S+) is not in the range x>=(\d+)": r"\1 is less than \2: raise it",
    r"(\S+) is not in the range (\d+)<=x<=(\d+)": r"\1 is not between \2 and \3: correct it",
}
"""What click says of numbers, and what it means."""


def message_of(error: click.ClickException, command: str | None) -> str:
    """Return a message of click with the way out. `command`: the one that was typed.

    A long value is shortened in the middle, because the rule is at the end.
    """
    message = _message(error, command)
    return message if len(message) <= 500 else f"{message[:150]}...{message[-300:]}"


def _message(error: click.ClickException, command: str | None) -> str:
    if isinstance(error, click.NoSuchOption):
        return _no_such_option(error.option_name, command)
    param = error.param if isinstance(error, click.BadParameter) else None
    if param is not None and isinstance(param.type, click.Choice):
        return _no_such_choice(error, param, [*map(str, param.type.choices)])
    message = error.format_message()
    for pattern, plain in NUMBERS.items():
        message = re.sub(pattern, plain, message)
    return message


def _no_such_choice(error: click.ClickException, param: click.Parameter, choices: list[str]) -> str:
    """Return the message for a missing or unknown word of a list."""
    *others, last = choices
    name = param.opts[0] if isinstance(param, click.Option) else str(param.name).upper()
    if isinstance(error, click.MissingParameter):
        return f"Missing argument {name}: {', '.join(others)} or {last}"
    word = error.message.partition(" is not one of ")[0].strip("'")
    rule = f"{name} is {word!r}; it must be {', '.join(others)} or {last}"
    return ". ".join(filter(None, (rule, closest(word, choices, LIKE))))


def _no_such_option(name: str, command: str | None) -> str:
    """Return the message for an unknown option: what looks like it, or which command has it or does it."""
    ours = option_names(command or "")
    way = closest(name, ours)
    typed = next((word for word in sys.argv if f"-{word}" in ours), None)
    if typed is not None and typed.startswith(name):  # click reads -format as -f -o …
        way = f"Write -{typed}"
    elif name == "--table":
        way = "TABLE needs no option"
    elif others := [step for step, one in performed(*COMMANDS).items() if name in options_of(one)]:
        way = f"It is an option of {', '.join(others)}"
    elif name.removeprefix("--") in COMMANDS:
        way = f"There is a command for it: skipscan {name.removeprefix('--')}"
    return " ".join(filter(None, (f"No such option {name!r}.", way)))
