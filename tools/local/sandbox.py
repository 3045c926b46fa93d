"""A shell for trying every command: `python -m local.sandbox [COMMAND …]`.

An embedded AWS runs as long as the shell or the command: tables to list, to write to and to copy, and the environment
`dev` with everything enabled. Its variables send `skipscan` and the AWS SDKs there, so no command can reach a real
account by mistake. The shell starts in its own folder, which is removed at the end with all its files.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from local import audit_table, cdk, sandbox_tables
from local.checkout import ACCOUNT, BUILD, REGION, environ
from local.embedded import Embedded, embedded_with_both
from local.sandbox_tables import AUDIT, CHECKPOINTS, NEW_AUDIT, ORDERS
from local.stage import present
from local.steps import Steps

ENVIRONMENT = "dev"
MARKER = '{"item": {"order": "#static", "GSI-pk": "{customer}"}}\n'
SET = {audit_table.ATTRIBUTE: audit_table.TEMPLATE}

GREETING = f"""
The tables {ORDERS}, {AUDIT} and {CHECKPOINTS} are here, and the environment {ENVIRONMENT} is
the default of --env. Try

  skipscan plan {ORDERS}
  skipscan run {ORDERS} --follow
  skipscan act {ORDERS} --put-item @marker.json
  skipscan retrofit {AUDIT} --set '{audit_table.ATTRIBUTE}={audit_table.TEMPLATE}'
  skipscan copy start {AUDIT} {NEW_AUDIT} --create
  skipscan trim {CHECKPOINTS} --keep-last 5

Tables here pretend to have point-in-time recovery. exit leaves the shell, and
removes this folder and all else.
"""


@dataclass(frozen=True)
class Sandbox:
    """`folder`: where the shell begins. `outputs`: of the stack. `package`: what `skipscan deploy` deploys."""

    account: Embedded
    folder: Path
    outputs: Mapping[str, str]
    package: Path

    @property
    def variables(self) -> dict[str, str]:
        """Return the environment variables with which a program finds the account and its stack."""
        found = environ(
            AWS_ENDPOINT_URL=self.account.endpoint,
            AWS_ENDPOINT_URL_DYNAMODB=self.account.dynamodb_endpoint,
            SKIPSCAN_ENV=ENVIRONMENT,
            SKIPSCAN_PACKAGE=str(self.package),
        )
        # A `make` typed here is independent of the one that started this shell.
        return {name: value for name, value in found.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}


@contextmanager
def sandbox(steps: Steps) -> Iterator[Sandbox]:
    """Set everything up and show each step; remove it at the end."""
    BUILD.mkdir(exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=BUILD, prefix="sandbox-")))
        with steps.step("Start an embedded AWS: MiniStack, and dynalite for the tables that are scanned"):
            account = stack.enter_context(embedded_with_both(frozenset({AUDIT, NEW_AUDIT})))
        package = Path(stack.enter_context(TemporaryDirectory(dir=BUILD, prefix="sandbox-package-")), "package")
        with (
            steps.step(f"Load {ORDERS}, {AUDIT} and {CHECKPOINTS}; make what skipscan deploy needs meanwhile") as emit,
            ThreadPoolExecutor(1) as meanwhile,
        ):
            packaged = meanwhile.submit(cdk.package, package)
            stream = sandbox_tables.create(account.dynamodb)
            emit(f"{sandbox_tables.load(account.dynamodb):,} items, and a stream of {AUDIT}")
            packaged.result()
        with steps.step(f"Deploy the stack skipscan-{ENVIRONMENT}: cdk bootstrap, cdk deploy"):
            app = Path(stack.enter_context(TemporaryDirectory(dir=BUILD, prefix="sandbox-app-")))
            cdk.write_app(app, {ENVIRONMENT: environment(stream)})
            outputs = account.deploy(ENVIRONMENT, folder=app)
        (folder / "marker.json").write_text(MARKER, encoding="utf-8")
        yield Sandbox(account, folder, outputs, package)


def environment(stream: str) -> dict[str, Any]:
    """Return an environment that allows everything that Skipscan can do."""
    copied = {"to": NEW_AUDIT, "stream": stream, "set": SET}
    writing = {ORDERS: {"act": True}, CHECKPOINTS: {"act": True}, AUDIT: {"retrofit": True, "copy": copied}}
    return {
        "account": ACCOUNT,
        "region": REGION,
        "tables": [ORDERS, AUDIT, CHECKPOINTS],
        "writing": writing,
        "limits": {"batch_pages": 200},
        "keep_results": False,
    }


def play(console: Console, command: Sequence[str]) -> int:
    """Run the command in the sandbox, or without one a shell; return its exit status."""
    with sandbox(Steps(console)) as set_up:
        if command:
            return _status(command, set_up)
        console.print(GREETING, markup=False, soft_wrap=True)
        _status([os.environ.get("SHELL", "/bin/sh")], set_up)
        console.print("Ending the embedded AWS, and removing the folder")
        return 0


def _status(command: Sequence[str], set_up: Sandbox) -> int:
    """Return the exit status of a command run in the sandbox; Ctrl-C stops the command, not the account."""
    with subprocess.Popen(command, env=set_up.variables, cwd=set_up.folder) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue


if __name__ == "__main__":
    sys.exit(present(lambda console: play(console, sys.argv[1:])))
