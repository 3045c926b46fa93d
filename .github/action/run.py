"""Runs `skipscan keys` in a job of GitHub Actions, with the inputs of the action."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

from inputs import arguments, downloaded


def main() -> int:
    """Return the exit status of the command: 3 if a budget stopped it."""
    # A folder of its own, because a job may use the action more than once.
    folder = Path(mkdtemp(prefix="skipscan-", dir=os.environ["RUNNER_TEMP"]))
    keys, summary = folder / "keys", folder / "summary.json"
    inputs = json.loads(os.environ["INPUTS"])
    try:
        given = arguments(inputs)
    except ValueError as mistake:
        # GitHub reads "%25" as a percent sign (actions/toolkit, packages/core/src/command.ts).
        print(f"::error::{str(mistake).replace('%', '%25')}")  # noqa: T201 (how a job reports an error)
        return 2
    status = _run(keys, "keys", f"--summary={summary}", *given)
    found = {"keys": keys, "summary": summary}
    if inputs.get("folder"):  # the keys are in its parts: an empty file would look like a table without keys
        if status == 0:
            status = _run(keys, "download", *downloaded(inputs))
        else:
            del found["keys"]
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as outputs:
        outputs.writelines(f"{name}={path}\n" for name, path in found.items())
    return status


def _run(keys: Path, *arguments: str) -> int:
    """Run a command with its stdout in a file; return its status."""
    with keys.open("wb") as output:
        return subprocess.run([sys.executable, "-m", "skipscan", *arguments], stdout=output, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
