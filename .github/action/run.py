"""Runs `skipscan keys` in a job of GitHub Actions, with the inputs of the action."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

from inputs import arguments


def main() -> int:
    """Return the exit status of the command: 3 if a budget stopped it."""
    # A folder of its own, because a job may use the action more than once.
    folder = Path(mkdtemp(prefix="skipscan-", dir=os.environ["RUNNER_TEMP"]))
    keys, summary = folder / "keys", folder / "summary.json"
    try:
        given = arguments(json.loads(os.environ["INPUTS"]))
    except ValueError as mistake:
        print(f"::error::{mistake}")  # noqa: T201 (how a job reports an error)
        return 2
    command = [sys.executable, "-m", "skipscan", "keys", *given, f"--summary={summary}"]
    with keys.open("wb") as output:
        status = subprocess.run(command, stdout=output, check=False).returncode
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as outputs:
        outputs.write(f"keys={keys}\nsummary={summary}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
