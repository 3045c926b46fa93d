"""The command `skipscan`, and what every one of its commands does when something goes wrong.

`STATUSES` are the exit statuses.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb
from typing import Any, NoReturn

import click
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, NoRegionError

from skipscan import __version__
from skipscan.aws.answer import ForeignAnswerError
from skipscan.cli.act import act
from skipscan.cli.completion import completion
from skipscan.cli.copy import copy
from skipscan.cli.diff import diff
from skipscan.cli.download import download
from skipscan.cli.follow import INTERRUPTED, RUN_FAILED
from skipscan.cli.keys import keys
from skipscan.cli.list_work import list_work
from skipscan.cli.plan import plan
from skipscan.cli.report import report
from skipscan.cli.resume import resume
from skipscan.cli.retrofit import retrofit
from skipscan.cli.run import run
from skipscan.cli.status import status
from skipscan.cli.stop import stop
from skipscan.errors import InputError, SkipscanError

DEFECT = 70  # EX_SOFTWARE of sysexits.h
READER_GONE = 141  # as a shell reports a program that SIGPIPE ended

STATUSES = {
    0: "all went well",
    1: "AWS, the table or a file said no",
    2: "the command line is wrong",
    RUN_FAILED: "the run or job was refused, failed, or was stopped before its end; the cause is on stderr",
    DEFECT: "a defect of skipscan; the message says where",
    INTERRUPTED: "Ctrl-C",
    READER_GONE: "whoever read the output stopped reading",
}


class Commands(click.Group):
    """All commands, in the order of their use."""

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        with _reader_gone():
            return super().make_context(*arguments, **more)

    def invoke(self, context: click.Context) -> object:
        with _reader_gone():
            return super().invoke(context)

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(self.commands)


@contextmanager
def _reader_gone() -> Iterator[None]:
    """End with `READER_GONE` when nobody reads the output any more, before click takes that for an error."""
    try:
        yield
    except BrokenPipeError:
        # Python would complain once more when it flushes stdout at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(READER_GONE) from None


@contextmanager
def _unread() -> Iterator[None]:
    """Keep the exit status where nobody reads what is said on stderr."""
    try:
        yield
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="plan and keys read a table from here, with nothing deployed. The others use an environment that "
    "`make deploy ENV=...` has deployed, and SKIPSCAN_ENV stands for --env.\n\n\b\nExit status:\n"
    + "\n".join(f"  {status:<4}{meaning}" for status, meaning in STATUSES.items()),
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def skipscan() -> None:
    """List the distinct partition keys of a DynamoDB table for a fraction of a full scan's price."""


for command in (
    plan,
    keys,
    run,
    status,
    list_work,
    download,
    diff,
    report,
    stop,
    resume,
    act,
    retrofit,
    copy,
    completion,
):
    skipscan.add_command(command)


def main() -> NoReturn:
    """Run the command line, and end the process with its exit status."""
    if sys.stderr is None:  # closed from the start
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (as long as the process lives)
    if sys.stdout is None:
        _fail("stdout is closed: open it, or write to /dev/null")
    try:
        status = skipscan.main(prog_name="skipscan", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.ClickException as error:
        vars(error)["message"] = _cut(error.message)
        with _unread():
            error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        # Threads may have a request under way, for which Python waits at its end: Ctrl-C again ends that too.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _say("interrupted")
        sys.exit(INTERRUPTED)
    except NoCredentialsError:
        _fail("AWS credentials are missing: name a profile with --profile, or run `aws configure`")
    except NoRegionError:
        _fail("the AWS region is missing: name it with --region, or set AWS_REGION")
    except ClientError as error:
        said = error.response["Error"]
        _fail(f"{error.operation_name} failed with {said['Code']}: {said.get('Message', 'no message')}")
    except InputError as error:
        _say(str(error))
        sys.exit(2)
    except (SkipscanError, BotoCoreError, ForeignAnswerError, OSError) as error:
        _fail(str(error))
    except Exception as error:
        if os.environ.get("SKIPSCAN_TRACEBACK"):
            raise
        _say(_defect(error))
        sys.exit(DEFECT)


def _defect(error: Exception) -> str:
    """Return what to say of an error that nobody foresaw: where it came from, and not its text, which may hold keys."""
    *_, (frame, number) = walk_tb(error.__traceback__)
    code = frame.f_code
    return (
        f"this is a defect of skipscan: {type(error).__name__} in {code.co_qualname}, {code.co_filename}:{number}. "
        "Please report it with the command; SKIPSCAN_TRACEBACK=1 before the command shows the whole way"
    )


def _cut(message: str) -> str:
    """Return a message of click without the middle of a value that would drown it; the rule stands at the end."""
    return message if len(message) <= 500 else f"{message[:150]}...{message[-300:]}"


def _fail(message: str) -> NoReturn:
    _say(message)
    sys.exit(1)


def _say(message: str) -> None:
    with _unread():
        click.echo(f"skipscan: {message}", err=True)
