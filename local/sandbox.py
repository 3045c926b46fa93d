"""A shell in which everything may be tried: `python -m local.sandbox [COMMAND …]`.

The embedded AWS of the demo stays up for as long as the shell, or the command, runs in it. Its variables send
`skipscan` and the AWS SDKs there, so no real account can be meant by mistake.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from rich.console import Console

from local.checkout import environ
from local.embedded import Embedded
from local.stage import TABLE, present, stage
from local.steps import Steps

ENVIRONMENT = "local"


def variables(account: Embedded) -> Mapping[str, str]:
    """What a program needs in its environment to find the account, and the stack in it."""
    found = environ(
        AWS_ENDPOINT_URL=account.endpoint,
        AWS_ENDPOINT_URL_DYNAMODB=account.dynamodb_endpoint,
        SKIPSCAN_ENV=ENVIRONMENT,
    )
    # A `make` typed here is no part of the one that started this.
    return {name: value for name, value in found.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}


def play(console: Console, command: Sequence[str]) -> int:
    """Set the stage, and run the command in it; its exit status is the result. Without one, a shell until its exit."""
    with stage(Steps(console)) as set_up:
        if command:
            return _status(command, set_up.account)
        console.print(
            f"\nThis shell has the table {TABLE}, and the environment {ENVIRONMENT} as the default of --env. Try"
            f"\n\n  skipscan run {TABLE} --follow\n\nexit leaves it, and clears everything away.\n"
        )
        _status([os.environ.get("SHELL", "/bin/sh")], set_up.account)
        return 0


def _status(command: Sequence[str], account: Embedded) -> int:
    """Return the exit status of a command run in the account; Ctrl-C is for the command, and the account stays."""
    with subprocess.Popen(command, env=dict(variables(account))) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue


if __name__ == "__main__":
    sys.exit(present(lambda console: play(console, sys.argv[1:])))
