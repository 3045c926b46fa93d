"""Options of several commands, and the examples below a command's help."""

import re
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar, cast

import click

from skipscan.inputs.names import REGION
from skipscan.scan.plan import Optimize, Strategy
from skipscan.scan.take import ALL

Command = TypeVar("Command", bound=Callable[..., Any])


def options(*given: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds these arguments and options, in the order of the help."""

    def add(command: Command) -> Command:
        for option in reversed(given):
            command = option(command)
        return command

    return add


def flag(name: str, *, help: str) -> Callable[[Any], Any]:
    """Return an option that is added to a job's input only if it is given."""
    return click.option(name, is_flag=True, callback=lambda _context, _option, value: value or None, help=help)


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


def _taking(command: Command) -> Command:
    """Pass --first, --last and --within to the command as the input field `take`."""

    @wraps(command)
    def taking(*, first: Any, last: Any, within: str | None, **given: Any) -> Any:
        asked = {"first": first, "last": last, "within": within}
        take = {name: value for name, value in asked.items() if value is not None}
        if take.keys() == {"within"}:
            raise click.UsageError("--within needs --first or --last, whose items it bounds: add one of them")
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

item_options = options(
    click.option("--segments", type=int, help="Parallel segments (default: chosen by the plan)."),
    click.option(
        "--no-verify",
        "verify",
        is_flag=True,
        callback=lambda _context, _option, value: False if value else None,
        help="Skip the final verification.",
    ),
    click.option("--max-read-units-per-second", type=float, help="Maximum read rate of all workers together."),
    click.option("--max-read-units", type=float, help="Read budget. The job stops there and can be resumed."),
)
"""--segments, --no-verify, and the rate and budget of reads."""


listing_options = options(
    table_argument,
    click.option("--index", help="List the partition keys of this index instead."),
    click.option("--segments", type=int, help="Parallel segments (default: chosen by the plan)."),
    click.option(
        "--strategy",
        type=click.Choice([choice.value for choice in Strategy]),
        default="auto",
        show_default=True,
        help="How to move to the next key: skip, or read every page.",
    ),
    click.option(
        "--optimize",
        type=click.Choice([choice.value for choice in Optimize]),
        default="balanced",
        show_default=True,
        help="What to optimize the page length for.",
    ),
    click.option("--consistent-read", is_flag=True, help="Strongly consistent reads, at twice the read units."),
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
        "--within",
        metavar="PREFIX",
        help="Take the first and last items of the sort keys with this prefix. Costs at most one Query for each key.",
    ),
    _taking,
)
"""TABLE, --index, --segments, --strategy, --optimize, --consistent-read, --first, --last and --within."""
