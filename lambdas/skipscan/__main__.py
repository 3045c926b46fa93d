"""The command `skipscan`, also as `python -m skipscan`: in words even where Ctrl-C meets it while it is loaded."""

import signal
import sys
from typing import NoReturn

from skipscan import ENDING_SIGNALS


def main() -> NoReturn:
    """Load the command line, which takes a second, and run it."""
    for name in ENDING_SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores SIGHUP
            signal.signal(number, _interrupt)
    try:
        from skipscan.cli.main import run_command_line  # noqa: PLC0415 (Ctrl-C while it is loaded)
    except KeyboardInterrupt:
        sys.stderr.write("skipscan: interrupted\n")
        sys.exit(130)
    run_command_line()


def _interrupt(number: int, _frame: object) -> None:
    """Let a command remove its unfinished files and show the cursor again."""
    # A closed terminal sends SIGHUP twice, by its shell and by the kernel; so may `timeout`, to process and group.
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
