"""How a deployed function says that boto3 makes its hot calls."""

from collections.abc import Callable

from skipscan.loop.shell import Shell
from skipscan.metrics.metric import Metric


def notice(shell: Shell) -> Callable[[str], None]:
    """Return what writes the reason to the log, and counts it in the environment's metrics."""

    def write(reason: str) -> None:
        shell.log.warning("boto3 makes the hot calls", reason=reason)
        shell.emit({Metric.LEAN_CLIENT_UNUSED: 1})

    return write
