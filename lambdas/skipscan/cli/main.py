"""The command `skipscan`, and how it ends."""

import errno
import os
import shlex
import signal
import sys
from textwrap import fill
from typing import NoReturn

import click
from click.shell_completion import CompletionItem, shell_complete

from skipscan import __version__
from skipscan.cli.commands import COMMANDS, command
from skipscan.cli.say import INTERRUPTED, READER_GONE, STATUSES, say

PIPE_CLOSED = frozenset({errno.EPIPE, errno.EINVAL} if os.name == "nt" else {errno.EPIPE})
"""The errors of writing to a closed pipe. EINVAL on Windows: https://github.com/python/cpython/issues/79935"""


KEYS = "The keys of a table: skipscan keys {table}"
OTHER_WORDS = {
    "cancel": "To stop a run or job: skipscan stop {table}",
    "compare": "To compare two runs: skipscan diff {table}",
    "count": "How many keys a table has: skipscan plan {table}; how many items each has: skipscan keys {table} --count",
    "delete": "To delete items: skipscan act or trim; an environment: skipscan destroy",
    "estimate": "What it will cost: skipscan plan {table}",
    **dict.fromkeys(("dump", "export", "get", "list", "ls", "query", "scan"), KEYS),
    "start": "To start a run: skipscan run {table}",
    "watch": "To follow a run: skipscan status {table} --follow",
}
"""What other programs call these commands. Some look like others here, as `scan` like `schema`."""


class Commands(click.Group):
    """All commands, in the order of use."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Take `help COMMAND` for `COMMAND --help`, as in git and gh."""
        is_help = args[:1] == ["help"]
        return super().parse_args(context, [*(word for word in args if word != "help"), "--help"] if is_help else args)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, args)
        except click.UsageError:  # click's own hint knows no command that is not loaded
            from skipscan.cli.options import closest  # noqa: PLC0415 (as every command: only if one is named)

            otherwise = "TABLE" if args[0] in OTHER_WORDS else args[0]
            table = next((word for word in args[1:] if not word.startswith("-")), otherwise)
            unheard = "" if {*context.help_option_names} & {*args} else KEYS
            way = OTHER_WORDS.get(args[0]) or closest(args[0], [*COMMANDS, "help", "--version"]) or unheard
            way = way.format(table=shlex.quote(table))
            raise click.UsageError(f"No such command {args[0]!r}. {way}".rstrip(), context) from None

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        return command(name) if name in COMMANDS else None

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        commands = [CompletionItem(name, help=line) for name, line in COMMANDS.items() if name.startswith(incomplete)]
        return commands + click.Command.shell_complete(self, context, incomplete)


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


COMPLETE = "_SKIPSCAN_COMPLETE"
"""The variable by which a shell asks for completions, as the script of `skipscan completion` sets it."""


def run_command_line() -> NoReturn:
    """Run the command line, and end the process with the exit status.

    Not by click's `main`, which prints an empty line after Ctrl-C, and takes a closed pipe for an error.
    """
    if sys.stderr is None:  # closed at the start
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (as long as the process lives)
    if sys.stdout is None:
        _say("stdout is closed: open it, or write to /dev/null")
        sys.exit(1)
    # As `docker run -e AWS_PROFILE=$UNSET` gives them: boto3 takes an empty text for a name.
    for name in [name for name, value in os.environ.items() if name.startswith("AWS_") and not value]:
        del os.environ[name]
    try:
        if instruction := os.environ.get(COMPLETE):
            sys.exit(shell_complete(skipscan, {}, "skipscan", COMPLETE, instruction))
        with skipscan.make_context("skipscan", sys.argv[1:]) as context:
            skipscan.invoke(context)
        sys.exit(0)
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:  # a command line without a command
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        # Python waits at its end for threads with requests in progress. A second Ctrl-C or SIGTERM ends that, too.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _say("interrupted")
        sys.exit(INTERRUPTED)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in PIPE_CLOSED and error.filename is None:
            # Otherwise Python would report the error again when it flushes stdout at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(READER_GONE)
        from skipscan.cli.mistakes import answer  # noqa: PLC0415 (after a mistake alone)

        message, status = answer(error)
        _say(message)
        sys.exit(status)


def _say(message: str) -> None:
    """Print what ends the command; keep the exit status if stderr is closed."""
    try:
        say(message, is_error=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
