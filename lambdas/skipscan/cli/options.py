"""Options of several commands, and the examples below a command's help."""

import re
from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar, cast

import click
from click.core import ParameterSource

from skipscan.inputs.fields import Field, option_name
from skipscan.inputs.names import REGION
from skipscan.scan.take import ALL, COUNT, DESCENDING, ITEMS, MOST, ORDER

Command = TypeVar("Command", bound=Callable[..., Any])


def options(*given: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds these arguments and options, in the order of the help."""

    def add(command: Command) -> Command:
        for option in reversed(given):
            command = option(command)
        return command

    return add


def field_options(fields: Iterable[Field], *without: str) -> Callable[[Any], Any]:
    """Return the options that set input fields. An option that is not given leaves its field out of the input.

    `without`: the fields that a command sets in another way, or not at all.
    """
    return options(*(_field_option(field) for field in fields if field.name not in without))


def _field_option(field: Field) -> Callable[[Any], Any]:
    schema, name = field.form.schema, (option_name(field.name), field.name)
    help = f"{field.help or field.meaning}."
    if schema.get("type") == "boolean":
        given = not field.default
        return click.option(*name, is_flag=True, callback=lambda _c, _o, value: given if value else None, help=help)
    if "enum" in schema:
        words = click.Choice([word for word in schema["enum"] if word is not None])
        return click.option(
            *name, type=words, default=str(field.default), show_default=True, callback=_unless_default, help=help
        )
    if schema["type"] == "array":
        several = schema["maxItems"]
        return click.option(
            *name, nargs=several, metavar=field.metavar, callback=lambda _c, _o, value: value and [*value], help=help
        )
    kind = {"integer": int, "number": float}.get(str(schema["type"]), str)
    return click.option(*name, type=kind, metavar=field.metavar, help=help)


def _unless_default(context: click.Context, option: click.Parameter, value: str) -> str | None:
    is_default = context.get_parameter_source(str(option.name)) is ParameterSource.DEFAULT
    return None if is_default else value


def examples(*lines: str) -> str:
    r"""Return an epilog with one example per line, which `\b` protects from click's wrapping."""
    return "\b\n" + "\n".join(["Examples:", *(f"  {line}" for line in lines)])


def completed(name: str) -> Any:
    """Return the completion of an argument; loaded when a shell completes it."""

    def complete(context: click.Context, argument: click.Parameter, incomplete: str) -> list[str]:
        from skipscan.cli import complete as completions  # noqa: PLC0415 (it imports what needs this module)

        found: list[str] = getattr(completions, name)(context, argument, incomplete)
        return found

    return complete


def performed_by(module: str) -> Callable[[Callable[[], None]], Callable[..., None]]:
    """Return a decorator: the command calls the function of its name in this module, loaded when the command runs."""

    def performed(face: Callable[[], None]) -> Callable[..., None]:
        @wraps(face)
        def perform(**given: Any) -> None:
            try:
                carry_out = getattr(import_module(module), face.__name__)
            except KeyboardInterrupt:  # click would print an empty line for it
                raise click.Abort from None
            carry_out(**given)

        return perform

    return performed


table_argument = click.argument("table_name", metavar="TABLE", shell_complete=completed("complete_table"))


def checked_region(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not REGION.fullmatch(value):
        raise click.BadParameter(f"{value!r} is not a region such as us-east-1: correct it")
    return value


def _url(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"https?://[^/\s]+/?", value):
        raise click.BadParameter(f"{value!r} is not a URL such as http://localhost:8000: correct it")
    return value


def _attributes(_context: click.Context, _option: click.Parameter, value: str | None) -> list[str] | str | None:
    return value if value is None or value == ALL else value.split(",")


class _Number(click.types.StringParamType):
    """How far to count, or all. TABLE written behind --count would be taken for it."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == ALL or isinstance(value, int):
            return value
        if not value.isdecimal():
            self.fail(f"{value!r} is no number: give one, or write --{COUNT} behind TABLE to count all", param, ctx)
        return int(value)


def _taking(command: Command) -> Command:
    """Pass the options of what a run takes to the command as the input field `take`."""

    @wraps(command)
    def taking(*, first: Any, last: Any, items: Any, most: Any, order: Any, count: Any, **given: Any) -> Any:
        from skipscan.listing.execution_input import taken_option  # noqa: PLC0415 (a help page needs no inputs)

        asked = {"first": first, "last": last, ITEMS: items, MOST: most, ORDER: order, COUNT: count}
        take = {name: taken_option(name, value) for name, value in asked.items() if value is not None}
        return command(take=take or None, **given)

    return cast("Command", taking)


region_and_profile = options(
    click.option(
        "--region", envvar="AWS_REGION", callback=checked_region, help="AWS region (default: your AWS configuration)."
    ),
    click.option("--profile", help="AWS profile (default: your AWS configuration)."),
)
"""The options --region and --profile."""

connection_options = options(
    region_and_profile,
    click.option("--endpoint-url", callback=_url, help="Another DynamoDB endpoint, such as http://localhost:8000."),
)
"""The AWS region and profile of a command without an environment."""

take_options = options(
    click.option(
        "--first",
        metavar="ATTRIBUTES",
        callback=_attributes,
        help="Also take the first item of every item collection: its sort key and these attributes, separated by "
        "commas, or all. Costs no extra read units. The default --format is then jsonl.",
    ),
    click.option(
        "--last",
        metavar="ATTRIBUTES",
        callback=_attributes,
        help="Also take the last item of every item collection. Costs at most one Query for each page.",
    ),
    click.option(
        f"--{ITEMS}",
        metavar="ATTRIBUTES",
        callback=_attributes,
        help="Write a line for every item, of a range if one is given: its sort key and these attributes, or all.",
    ),
    click.option(f"--{MOST}", type=int, help="With --items: at most so many items of each group."),
    click.option(
        f"--{ORDER}",
        type=click.Choice(["ascending", DESCENDING]),
        help="With --items: the order of the sort keys in a group (default: ascending).",
    ),
    click.option(
        f"--{COUNT}",
        metavar="[NUMBER]",
        type=_Number(),
        is_flag=False,
        flag_value=ALL,
        help="Also count the items of every item collection, up to this number; without a number all of them, which "
        "reads every item.",
    ),
    _taking,
)
"""--first, --last, --items and --count with what belongs to them, which set the field `take`."""
