"""The command `skipscan`, also as `python -m skipscan`: in words even where Ctrl-C meets it while it is loaded."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Load the command line, which takes a second, and run it."""
    try:
        from skipscan.cli.main import run_command_line  # noqa: PLC0415 (Ctrl-C while it is loaded)
    except KeyboardInterrupt:
        sys.stderr.write("skipscan: interrupted\n")
        sys.exit(130)
    run_command_line()


if __name__ == "__main__":
    main()
