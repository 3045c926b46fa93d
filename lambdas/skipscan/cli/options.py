"""Options of several commands, and the examples below a command's help."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial, wraps
from typing import IO, Any, cast

import click
from click.core import ParameterSource

from skipscan.cli.advice import option_name
from skipscan.cli.at import Command, placed
from skipscan.cli.commands import options_of
from skipscan.cli.say import say
from skipscan.inputs.fields import MOST_FILE_BYTES, RESUMED, Field, OptionGroup
from skipscan.inputs.names import REGION, similar
from skipscan.scan.take import ALL, ROWS, TAKEN, take_from_options
from skipscan.scan.taken import COUNT


def options(*decorators: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds these arguments and options, in the order of the help."""

    def add(command: Command) -> Command:
        for option in reversed(decorators):
            command = option(command)
        return command

    return add


class GroupedOption(click.Option):
    """An option with its group of the help."""

    def __init__(self, names: Sequence[str], *, group: OptionGroup, **more: Any) -> None:
        super().__init__(names, **more)
        self.group = group

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("--") and value in options_of(ctx.command):
            raise click.BadOptionUsage(self.opts[0], f"Option {self.opts[0]!r} requires an argument", ctx)
        return super().process_value(ctx, value)


def option(group: OptionGroup, *names: str, **more: Any) -> Callable[[Any], Any]:
    """Return click's option, in this group of the help."""
    return click.option(*names, cls=GroupedOption, group=group, **more)


def by_group(parameters: Iterable[click.Option]) -> dict[OptionGroup, list[click.Option]]:
    """Return the options of every group that has any. Click's own, such as --help, are in the last."""
    found: dict[OptionGroup, list[click.Option]] = {group: [] for group in OptionGroup}
    for one in parameters:
        found[getattr(one, "group", OptionGroup.ADVANCED)].append(one)
    return {group: members for group, members in found.items() if members}


class GroupedCommand(click.Command):
    """A command whose help has its options in groups."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # While the value of an option is completed, click would read no argument: the table would not be known.
        if ctx.resilient_parsing and args and args[-1].startswith("-") and "=" not in args[-1]:
            args = args[:-1]
        return super().parse_args(ctx, args)

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        shown = (one for one in self.get_params(context) if isinstance(one, click.Option))
        rows = {
            group: [record for one in members if (record := one.get_help_record(context))]
            for group, members in by_group(shown).items()
        }
        # Every list is as wide as the widest, so that the texts begin in one column.
        width = min(WIDEST, max(len(name) for names in rows.values() for name, _ in names))
        for group, members in rows.items():
            with formatter.section(group if len(rows) > 1 else "Options"):
                formatter.write_dl([(name.ljust(width), help) for name, help in members], col_max=WIDEST)


WIDEST = 30
"""Columns for the names of options; a longer one has a line of its own."""

grouped_command = partial(click.command, cls=GroupedCommand)


def field_options(fields: Iterable[Field], *without: str) -> Callable[[Any], Any]:
    """Return the options that set input fields. An option that is not given leaves its field out of the input.

    `without`: the fields that a command sets in another way, or not at all. Work is resumed by `skipscan resume` alone.
    """
    settable = (field for field in fields if field.name not in {RESUMED, *without})
    return options(*map(_field_option, settable))


def _field_option(field: Field) -> Callable[[Any], Any]:
    schema, kind = field.form.schema, field.form.schema.get("type", ())
    more: dict[str, Any] = {"metavar": field.metavar}
    if kind == "boolean":
        switched = not field.default
        more = {"is_flag": True, "callback": lambda _c, _o, value: switched if value else None}
    elif field.name == "only":
        more |= {"type": click.File("rb"), "callback": _content}
    elif field.name == COUNT:
        more |= {"is_flag": False, "flag_value": ALL, "callback": _number}
    elif "anyOf" in schema:
        more["callback"] = _attributes
    elif "enum" in schema:
        more["type"] = click.Choice([word for word in schema["enum"] if word is not None])
        if field.default is not None:
            more |= {"default": str(field.default), "show_default": True, "callback": _unless_default}
    elif kind == "array":
        more |= {"nargs": schema["maxItems"], "callback": _bounds}
    elif isinstance(kind, list):  # the types of a sort key
        more["callback"] = _bound
    else:
        more["type"] = {"integer": int, "number": float}.get(str(kind), str)
        more["shell_complete"] = completed(COMPLETED[field.name]) if field.name in COMPLETED else None
    return option(field.group, option_name(field.name), field.name, help=f"{field.help or field.meaning}.", **more)


def _content(_context: click.Context, _option: click.Parameter, file: IO[bytes] | None) -> bytes | None:
    """Return what a file holds, or enough of it to show that it is too large."""
    with file or nullcontext():
        return None if file is None else file.read(MOST_FILE_BYTES + 1)


def _bounds(context: click.Context, option: click.Parameter, values: Sequence[str] | None) -> Any:
    return values and [_bound(context, option, value) for value in values]


def _bound(context: click.Context, _option: click.Parameter, value: str | None) -> Any:
    """Return a bound of sort keys; one that is a time is written as in an input: {"ago": "1d", "format": …}."""
    from skipscan.inputs.relative_bound import is_relative  # noqa: PLC0415 (a help page needs no inputs)

    if not value:
        return value
    try:
        found = json.loads(value) if value.lstrip().startswith("{") else None
    except ValueError:
        if re.search(r"\b(ago|previous)\b", value):
            way = 'write it like {"ago": "1d", "format": "%Y-%m-%d"}'
            raise click.BadParameter(f"{value!r} is not valid JSON, as a time is: {way}") from None
        return value
    if is_relative(found):
        return found
    if (found is not None or WORDS_OF_TIME.fullmatch(value)) and not context.resilient_parsing:
        way = 'a day before the start is {"ago": "1d", "format": "%Y-%m-%d"}'
        say(f"{value!r} is compared with sort keys as the text that it is; {way}")
    return value


WORDS_OF_TIME = re.compile(
    r"-?\d+ ?(s|m|h|d|w|sec|min|hours?|days?|weeks?)|now|today|yesterday|last \w+", re.IGNORECASE
)
"""What looks like a time to a person."""


COMPLETED = {"index": "index", "compare": "compared", "only_run": "compared", "undo": "act"}
"""The completions of fields whose values exist in AWS."""


def _unless_default(context: click.Context, option: click.Parameter, value: str) -> str | None:
    is_default = context.get_parameter_source(str(option.name)) is ParameterSource.DEFAULT
    return None if is_default else value


def closest(word: str, words: Iterable[str]) -> str | None:
    """Return a question with the most similar words, "Did you mean ...?"; `None` without a similar word."""
    near = similar(word, words)
    return f"Did you mean {' or '.join(map(repr, near))}?" if near else None


def examples(*lines: str) -> str:
    r"""Return an epilog with one example per line, which `\b` protects from click's wrapping."""
    return "\b\n" + "\n".join(["Examples:", *(f"  {line}" for line in lines)])


def completed(what: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return the completion of an argument; loaded when a shell completes it. `what`: of `complete.NAMES`."""

    def complete(context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
        from skipscan.cli.complete import offered  # noqa: PLC0415 (it imports what needs this module)

        return offered(what, context, incomplete)

    return complete


table_argument = click.argument("table_name", metavar="TABLE", shell_complete=completed("table"))


def formed(rule: str, *forms: re.Pattern[str]) -> Callable[..., Any]:
    """Return the callback of an option whose value, or each of whose values, has one of these forms."""

    def check(context: click.Context, option: click.Parameter, given: Any) -> Any:
        is_variable = context.get_parameter_source(str(option.name)) is ParameterSource.ENVIRONMENT
        for value in given if isinstance(given, tuple) else [] if given is None else [given]:
            if not any(form.fullmatch(value) for form in forms):
                hint = str(option.envvar) if is_variable else None
                raise click.BadParameter(f"{value!r} is not {rule}: correct it", param_hint=hint)
        return given

    return check


checked_region = formed("a region such as us-east-1", REGION)


def _attributes(_context: click.Context, _option: click.Parameter, value: str | None) -> list[str] | str | None:
    return value if value is None or value == ALL else value.split(",")


def _number(_context: click.Context, _option: click.Parameter, value: str | None) -> int | str | None:
    """Return the value of --count: a number or `all`. Its error explains a TABLE that was typed as the value."""
    if value in {None, ALL}:
        return value
    try:
        return int(str(value))
    except ValueError:  # also for thousands of digits, which Python does not read
        way = f"give one, or write --{COUNT} behind TABLE to count all"
        raise click.BadParameter(f"{value!r} is no number: {way}") from None


def _taking(command: Command) -> Command:
    """Pass the options about items and counts to the command as the input field `take`."""

    @wraps(command)
    def taking(**options: Any) -> Any:
        return command(take=take_from_options({name: options.pop(name) for name in TAKEN}), **options)

    return cast("Command", taking)


region_and_profile = options(
    option(
        OptionGroup.CONNECTION,
        "--region",
        envvar="AWS_REGION",
        callback=checked_region,
        help="AWS region (default: your AWS configuration).",
        shell_complete=completed("region"),
    ),
    option(
        OptionGroup.CONNECTION,
        "--profile",
        "aws_profile",
        callback=formed("the name of an AWS profile", re.compile(".+")),
        help="AWS profile (default: your AWS configuration).",
        shell_complete=completed("aws_profile"),
    ),
)
"""The options --region and --profile."""

endpoint_option = option(
    OptionGroup.CONNECTION,
    "--endpoint-url",
    callback=formed("a URL such as http://localhost:8000", re.compile(r"https?://[^/\s]+/?")),
    help="Another DynamoDB endpoint, such as http://localhost:8000.",
)
connection_options = options(region_and_profile, endpoint_option, placed)
"""The AWS region and profile of a command without an environment."""

take_options = options(*map(_field_option, ROWS), _taking)
"""--first, --last, --items and --count with what belongs to them, which set the field `take`."""

ELSEWHERE = ("table", "take", "format", "dry_run", "profile", "overlap")
"""The fields of a listing's input that are other arguments, options and commands, or of schedules."""
