"""The command `skipscan`, and the errors and exit statuses of all its commands."""

import errno
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import fill
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from skipscan import __version__
from skipscan.cli.commands import COMMANDS, command, option_names, performed
from skipscan.cli.say import DEFECT, INTERRUPTED, READER_GONE, RUN_FAILED, STATUSES, say
from skipscan.errors import InputError, NotFoundError, SkipscanError, UnprovenError, page, read_on

NO_ARGUMENTS: tuple[type[click.ClickException], ...] = tuple(
    filter(None, [getattr(click.exceptions, "NoArgsIsHelpError", None)])
)
"""What click raises to print the help for a command line without a command; older versions print it themselves."""

PIPE_CLOSED = frozenset({errno.EPIPE, errno.EINVAL} if os.name == "nt" else {errno.EPIPE})
"""The errors of writing to a closed pipe. EINVAL on Windows: https://github.com/python/cpython/issues/79935"""


OTHER_WORDS = frozenset({"scan", "export"})
"""For `keys`; they look like `schema` and `report`."""


class Commands(click.Group):
    """All commands, in the order of use."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Take `help COMMAND` for `COMMAND --help`, as in git and gh."""
        is_help = args[:1] == ["help"]
        return super().parse_args(context, [*(word for word in args if word != "help"), "--help"] if is_help else args)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        with _reader_gone():
            return super().make_context(*arguments, **more)

    def invoke(self, context: click.Context) -> object:
        try:
            with _reader_gone():
                return super().invoke(context)
        except KeyboardInterrupt:  # click would print an empty line for it
            raise click.Abort from None

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, args)
        except click.UsageError:  # click's own hint knows no command that is not loaded
            from skipscan.cli.options import closest  # noqa: PLC0415 (as every command: only if one is named)

            table = next((word for word in args[1:] if not word.startswith("-")), args[0])
            near = None if args[0] in OTHER_WORDS else closest(args[0], [*COMMANDS, "help", "--version"])
            way = near or f"The keys of a table: skipscan keys {shlex.quote(table)}"
            raise click.UsageError(f"No such command {args[0]!r}. {way}", context) from None

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        try:
            return command(name) if name in COMMANDS else None
        except KeyboardInterrupt:  # click would print an empty line for it
            raise click.Abort from None

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        commands = [CompletionItem(name, help=line) for name, line in COMMANDS.items() if name.startswith(incomplete)]
        return commands + click.Command.shell_complete(self, context, incomplete)


@contextmanager
def _reader_gone() -> Iterator[None]:
    """End with `READER_GONE` when the output pipe is closed, before click treats that as an error."""
    try:
        yield
    except OSError as error:
        if error.errno not in PIPE_CLOSED or error.filename is not None:
            raise
        # Otherwise Python would report the error again when it flushes stdout at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(READER_GONE) from None


@contextmanager
def _unread() -> Iterator[None]:
    """Keep the exit status if stderr is closed."""
    try:
        yield
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _exit_status(status: int, meaning: str) -> str:
    """Return the lines of a status, which click does not wrap, for a terminal of 80 columns."""
    return fill(meaning, 76, initial_indent=f"  {status:<4}", subsequent_indent=" " * 6)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="plan, profile, keys, policy, schema and completion need no deployment; download, diff, report and resume "
    "need none for a folder. The other commands use a deployed environment: name it with --env or SKIPSCAN_ENV. Create "
    "it with deploy, or with `make deploy ENV=...` in a checkout.\n\n"
    "\b\nExit status:\n" + "\n".join(_exit_status(*one) for one in STATUSES.items()),
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def skipscan() -> None:
    """List the distinct partition keys of a DynamoDB table for a fraction of a full scan's price."""


def run_command_line() -> NoReturn:
    """Run the command line, and end the process with the exit status."""
    if sys.stderr is None:  # closed at the start
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (as long as the process lives)
    if sys.stdout is None:
        _fail("stdout is closed: open it, or write to /dev/null")
    # As `docker run -e AWS_PROFILE=$UNSET` gives them: boto3 takes an empty text for a name.
    for name in [name for name, value in os.environ.items() if name.startswith("AWS_") and not value]:
        del os.environ[name]
    try:
        status = skipscan.main(prog_name="skipscan", standalone_mode=False, windows_expand_args=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.ClickException as error:
        if isinstance(error, NO_ARGUMENTS):
            error.show()
            sys.exit(error.exit_code)
        from skipscan.cli.mistakes import message_of  # noqa: PLC0415 (after a mistake alone)

        _say(read_on(message_of(error, _given()), _help(getattr(error, "ctx", None))))
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        # Python waits at its end for threads with requests in progress. A second Ctrl-C or SIGTERM ends that, too.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _say("interrupted")
        sys.exit(INTERRUPTED)
    except InputError as error:
        _say(read_on(_with_options(error), _help()))
        sys.exit(2)
    except SkipscanError as error:
        status = RUN_FAILED if isinstance(error, UnprovenError) else 1
        message = _with_options(error)
        hint = _folder_hint() if isinstance(error, NotFoundError) and "table" in message else ""
        _fail(_advised(message) + hint, error.page, status)
    except Exception as error:
        from skipscan.library.aws_errors import translated  # noqa: PLC0415 (takes longer than all that needs no AWS)

        if of_aws := translated(error):  # first: botocore's errors of TLS and of proxies are also OSErrors
            _fail(_advised(str(of_aws)), of_aws.page)
        if isinstance(error, OSError):
            way = ": make room" if error.errno in {errno.ENOSPC, getattr(errno, "EDQUOT", None)} else ""
            _fail(f"{error.filename}: {error.strerror}{way}" if error.filename else error.strerror or str(error))
        if os.environ.get("SKIPSCAN_TRACEBACK"):
            raise
        _say(_defect(error))
        sys.exit(DEFECT)


def _with_options(error: SkipscanError) -> str:
    """Return an error's text with the options of the current command in place of fields."""
    from skipscan.cli.advice import as_options  # noqa: PLC0415 (takes longer than `--help` may)

    return as_options(error.text, option_names(_given() or ""))


def _folder_hint() -> str:
    """Return what to type where TABLE is the name of a folder here; with an environment, a bare name is a table."""
    given = _given()
    table = next((word for word in sys.argv[2:] if not word.startswith("-")), "")
    if os.path.isfile(table):
        return f"; {table} is a file here"
    names = (word for word in sys.argv[2:] if os.path.basename(word) == word)  # a path is a folder already
    folder = next((word for word in names if os.path.isfile(os.path.join(word, "plan.json"))), None)
    return f"; `skipscan {given} {os.path.join('.', folder)}` uses the folder of this name" if folder else ""


def _advised(message: str) -> str:
    """Return a message with the way out, if AWS refused the current command."""
    from skipscan.cli.advice import advised  # noqa: PLC0415 (takes longer than `--help` may)

    return advised(message, _given())


def _defect(error: Exception) -> str:
    """Return the message for an unexpected error: its location without its text, which may contain keys."""
    from traceback import walk_tb  # noqa: PLC0415 (only here, and slow)

    *_, (frame, number) = walk_tb(error.__traceback__)
    code = frame.f_code
    return (
        f"this is a defect of skipscan: {type(error).__name__} in {code.co_qualname}, {code.co_filename}:{number}. "
        "Please report it with the command; SKIPSCAN_TRACEBACK=1 shows the full traceback"
    )


def _given() -> str | None:
    """Return the name of the current command."""
    return next((word for word in sys.argv[1:] if word in COMMANDS), None)


def _help(context: click.Context | None = None) -> str:
    """Return the command line that shows the current command's help."""
    given = _given()
    if given is not None:  # with the step of a group, such as copy start
        place = sys.argv.index(given)
        step = " ".join(sys.argv[place : place + 2])
        given = step if step in performed(given) else given
    path = context.command_path if context else " ".join(filter(None, ("skipscan", given)))
    return f"{path} --help"


def _fail(message: str, read: str | None = None, status: int = 1) -> NoReturn:
    """End the process. `read`: the page of the documentation for this error."""
    where = page(read) if read else None
    _say(read_on(message, where) if where else message)
    sys.exit(status)


def _say(message: str) -> None:
    with _unread():
        say(message, is_error=True)
