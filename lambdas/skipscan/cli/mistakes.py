"""What a command that failed is answered: the message with the way out, and the exit status.

Loaded after a failure alone. What click says of a mistyped command line is said in plain words.
"""

import errno
import os
import re
import shlex
import sys
from collections.abc import Collection

import click

from skipscan.cli.advice import advised, as_options
from skipscan.cli.commands import COMMANDS, JOBS, option_names, options_of, performed
from skipscan.cli.options import closest
from skipscan.cli.say import DEFECT, RUN_FAILED
from skipscan.errors import InputError, NotFoundError, SkipscanError, UnprovenError, page, read_on

PLAIN = {
    r"is not a valid float": "is no number: write digits and a point alone, such as 1000 or 0.5",
    r"is not a valid integer( range)?": "is no whole number: write digits alone, such as 2",
    r"(\S+) is not in the range x>=(\d+)": r"\1 is less than \2: raise it",
    r"(\S+) is not in the range (\d+)<=x<=(\d+)": r"\1 is not between \2 and \3: correct it",
    r"Directory (.+) is a file": r"\1 is a file: name a folder",
    r"File (.+) is a directory": r"\1 is a folder: name a file",
}
"""What click says of numbers and files, and what it means."""


def answer(error: Exception) -> tuple[str, int]:
    """Return what an error is answered, and the exit status."""
    command = next((word for word in sys.argv[1:] if word in COMMANDS), None)
    if isinstance(error, click.ClickException):
        own_page = _help(command, getattr(error, "ctx", None))
        return read_on(_shortened(_message(error, command)), own_page), error.exit_code
    if isinstance(error, InputError):
        return read_on(_in_options(error, command), _help(command)), 2
    from skipscan.library.aws_errors import translated  # noqa: PLC0415 (takes longer than all that needs no AWS)

    # Before `OSError`, which botocore's errors of TLS and of proxies are, too.
    if ours := error if isinstance(error, SkipscanError) else translated(error):
        message = _in_options(ours, command)
        hint = _folder_hint(command) if isinstance(ours, NotFoundError) and "table" in message else ""
        message, where = f"{advised(message, command)}{hint}", page(ours.page)
        status = RUN_FAILED if isinstance(ours, UnprovenError) else 1
        return read_on(message, where) if where else message, status
    if isinstance(error, OSError):
        way = ": make room" if error.errno in {errno.ENOSPC, getattr(errno, "EDQUOT", None)} else ""
        message = f"{error.filename}: {error.strerror}{way}" if error.filename else error.strerror or str(error)
        return _shortened(message), 1
    if os.environ.get("SKIPSCAN_TRACEBACK"):
        raise error
    return _defect(error), DEFECT


def _shortened(message: str) -> str:
    """Return a message with a long value shortened in the middle, because the rule is at the end."""
    return message if len(message) <= 500 else f"{message[:150]}...{message[-300:]}"


def _in_options(error: SkipscanError, command: str | None) -> str:
    """Return the text of an error in the command's options, or in the variable that an environment came from."""
    message = as_options(error.text, option_names(command or ""))
    is_typed = any(word.startswith(("--env", "-e")) for word in sys.argv)
    return message if is_typed else re.sub("^--env is", "SKIPSCAN_ENV is", message)


def _help(command: str | None, context: click.Context | None = None) -> str:
    """Return the command line that shows the current command's help."""
    if command is not None:  # with the step of a group, such as copy start
        place = sys.argv.index(command)
        step = " ".join(sys.argv[place : place + 2])
        command = step if step in performed(command) else command
    path = context.command_path if context else " ".join(filter(None, ("skipscan", command)))
    return f"{path} --help"


def _folder_hint(command: str | None) -> str:
    """Return what to type where TABLE is the name of a folder here; with an environment, a bare name is a table."""
    table = next((word for word in sys.argv[2:] if not word.startswith("-")), "")
    if os.path.isfile(table):
        return f"; {table} is a file here"
    names = (word for word in sys.argv[2:] if os.path.basename(word) == word)  # a path is a folder already
    folder = next((word for word in names if os.path.isfile(os.path.join(word, "plan.json"))), None)
    return f"; `skipscan {command} {os.path.join('.', folder)}` uses the folder of this name" if folder else ""


def _defect(error: Exception) -> str:
    """Return the message for an unexpected error: its location without its text, which may contain keys."""
    from traceback import walk_tb  # noqa: PLC0415 (only here, and slow)

    *_, (frame, number) = walk_tb(error.__traceback__)
    code = frame.f_code
    return (
        f"this is a defect of skipscan: {type(error).__name__} in {code.co_qualname}, {code.co_filename}:{number}. "
        "Please report it with the command; SKIPSCAN_TRACEBACK=1 shows the full traceback"
    )


def _message(error: click.ClickException, command: str | None) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.NoSuchOption) and context:
        return _no_such_option(error.option_name, command, context)
    param = error.param if isinstance(error, click.BadParameter) else None
    if param is not None and isinstance(param.type, click.Choice):
        return _no_such_choice(error, param, [*map(str, param.type.choices)])
    message = error.format_message().removesuffix(".")
    for pattern, plain in PLAIN.items():
        message = re.sub(pattern, plain, message)
    if param is not None and isinstance(param.type, click.File):
        message += ": give a file with a key a line, or - for stdin"
    if isinstance(error, click.BadOptionUsage):
        options = [one for each in performed(command or "").values() for one in each.params]
        param = next((one for one in options if error.option_name in one.opts), None)
    if isinstance(error, (click.BadOptionUsage, click.MissingParameter)) and isinstance(param, click.Option):
        if isinstance(param.type, click.Choice):
            return f"{message}: give {', '.join(map(str, param.type.choices))}"
        help = (param.help or "").partition(". ")[0].removesuffix(".")
        begin = help if help[1:2].isupper() else f"{help[:1].lower()}{help[1:]}"
        value = "alone" if param.is_flag else param.metavar or "VALUE"
        return f"{message}: {param.opts[0]} {value}, {begin}"
    usage = f"{context.command_path} {' '.join(context.command.collect_usage_pieces(context))}" if context else ""
    if isinstance(error, click.MissingParameter) and isinstance(param, click.Argument):
        return f"{message}: write {usage}"
    return _about_extra(message, option_names(command or ""), usage)


def _about_extra(message: str, ours: Collection[str], usage: str) -> str:
    """Return a message about arguments too many with what was meant, where that shows."""
    extra = message.partition("Got unexpected extra argument")[2].partition("(")[2].removesuffix(")")
    if not extra:
        return message
    if run_together := next((word for word in sys.argv if f"-{word}" in ours), None):
        return f"{message}: write -{run_together}"  # click reads -format as -f -o …
    if extra[0] in "\u2013\u2014":  # an editor made it of two
        return f"{message}: it begins with a long dash, write --{extra.lstrip(extra[0])}"
    if "--set" in ours and "=" in extra:
        return f"{message}: write --set {shlex.quote(extra)}"
    if "{" in extra or "}" in extra:
        return f"{message}: the shell took the quotes of the JSON, write it in single quotes, or as @FILE"
    lacks_env = "--env" in ours and "--env" not in sys.argv
    return f"{message}: write {usage}{', with --env for the environment' if lacks_env else ''}"


def _no_such_choice(error: click.ClickException, param: click.Parameter, choices: list[str]) -> str:
    """Return the message for a missing or unknown word of a list."""
    *others, last = choices
    name = param.opts[0] if isinstance(param, click.Option) else str(param.name).upper()
    if isinstance(error, click.MissingParameter):
        return f"Missing argument {name}: {', '.join(others)} or {last}"
    word = error.message.partition(" is not one of ")[0].strip("'")
    rule = f"{name} is {word!r}; it must be {', '.join(others)} or {last}"
    beginning = [choice for choice in choices if word and choice.startswith(word.casefold())]
    near = f"Did you mean {beginning[0]!r}?" if beginning else closest(word, choices)
    return ". ".join(filter(None, (rule, near)))


MEANT = {
    "--budget": "--max-dollars",
    "--call": "--invoke",
    "--function": "--invoke",
    "--lambda": "--invoke",
    "--queue": "--send",
    "--take": "--items",
    "--top": "--limit",
    "--wait": "--follow",
    "-V": "--version",
}
"""What other programs call options."""

ELSEWHERE = {
    **dict.fromkeys(
        ("--limit", "--top", "--head", "--max-keys", "--max-items"),
        "The first ten keys, in no order: skipscan keys TABLE | head; nothing is read after them",
    ),
    "--overlap": "Schedules and inputs of executions have it; a command starts its run at once",
}
"""What no option does."""


def _no_such_option(name: str, command: str | None, context: click.Context) -> str:
    """Return the message for an unknown option: what looks like it, or which command has it or does it."""
    params = context.command.get_params(context)
    ours = option_names(command or "") | {option for one in params for option in one.opts if option.startswith("-")}
    arguments = [one.human_readable_name for one in params if isinstance(one, click.Argument)]
    word = name.removeprefix("--")
    others = {step: options_of(one) for step, one in performed(*COMMANDS).items()}
    named = {
        one for all in others.values() for one in all if one == name or (name[1:2] == "-" and one.startswith(name))
    }
    option = min(named, default="")  # the whole name sorts before longer ones
    near = [one for one in sorted(ours) if (one.startswith(name) and one != name) or one == MEANT.get(name)]
    way = closest(name, ours)
    typed = next((word for word in sys.argv if f"-{word}" in ours), None)
    if isinstance(context.command, click.Group) and name in ours:  # before the command, or before the step of one
        steps = [step for step, options in others.items() if step.startswith(f"{command} ") and name in options]
        way = f"Options stand behind the command: write skipscan {' or '.join(steps) or command} ... {name}"
    elif name == "--env" and command is not None:
        way = f"{command} uses no environment: leave it out{', or use skipscan run' if command == 'keys' else ''}"
    elif re.fullmatch(r"-\d.*", name):
        way = "A number must not be negative"
    elif typed is not None and typed.startswith(name):  # click reads -format as -f -o …
        way = f"Write -{typed}"
    elif word.upper() in arguments:
        way = f"{word.upper()} needs no option"
    elif name == "--dry-run" and "--for-real" in ours:
        way = "Without --for-real the command only shows what it would do"
    elif near:
        way = f"Did you mean {' or '.join(map(repr, near))}?"
    elif name in ELSEWHERE:
        way = ELSEWHERE[name]
    elif command == "resume" and name in option_names("run", *JOBS):
        way = "Resumed work keeps the value that it began with: leave it out"
    elif having := [step for step, options in others.items() if option in options]:
        way = f"{'It' if option == name else repr(option)} is an option of {', '.join(having)}"
    elif len(name) == 2 and (near := [one for one in sorted(ours) if one.startswith(f"-{name}")]):
        way = f"Did you mean {' or '.join(map(repr, near))}?"
    elif word in COMMANDS:
        way = f"There is a command for it: skipscan {word}"
    return " ".join(filter(None, (f"No such option {name!r}.", way)))
