"""The distinct partition keys of a DynamoDB table, for a fraction of a full scan's price.

As a library: `skipscan.keys`, `plan`, `list_into`, `open_run` and `start`; `skipscan.library.api` says what each takes.
They are loaded at their first use, and boto3 with them.

The rooms are the core: they decide, and import the standard library alone. Only these import boto3, and act on the
decisions: `skipscan.aws`, the files `planning` and `…requests` of each kind of work, `skipscan.environment`,
`skipscan.library` (what Python programs import) and `skipscan.cli` (the command line).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skipscan.errors import (
        BatchError,
        BudgetError,
        DeniedError,
        IncompleteRunError,
        InputError,
        NotFoundError,
        SkipscanError,
        TableError,
    )
    from skipscan.library.api import Group, Run, StartedRun, keys, list_into, open_run, plan, profile_table, start

__version__ = "0.2.0"

__all__ = [
    "BatchError",
    "BudgetError",
    "DeniedError",
    "Group",
    "IncompleteRunError",
    "InputError",
    "NotFoundError",
    "Run",
    "SkipscanError",
    "StartedRun",
    "TableError",
    "keys",
    "list_into",
    "open_run",
    "plan",
    "profile_table",
    "start",
]

DOCUMENTATION = "docs"
"""Where the pages are that messages name. The build of a wheel puts an address here, or nothing if it knows none."""

ENDING_SIGNALS = ("SIGTERM", "SIGHUP")
"""The signals that end a command as Ctrl-C does: of `kill` and `timeout`, and of a terminal that is closed. Windows has
no SIGHUP."""


def __getattr__(name: str) -> Any:
    """Load the library at the first use of one of its names."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from skipscan.library import api  # noqa: PLC0415 (it imports boto3, which takes half a second)

    return getattr(api, name)


def __dir__() -> list[str]:
    return __all__
