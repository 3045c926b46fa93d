"""The distinct partition keys of a DynamoDB table, for a fraction of a full scan's price.

As a library: `skipscan.keys`, `plan`, `list_into`, `open_run` and `start`; `skipscan.library.api` says what each takes.
They are loaded at their first use, and boto3 with them.

The rooms are the core: they decide, and import the standard library alone. Only these import boto3, and act on the
decisions: `skipscan.aws`, the files `planning` and `…requests` of each kind of work, `skipscan.environment`,
`skipscan.library` (what Python programs import) and `skipscan.cli` (the command line).

The words of the code that are not DynamoDB's, Lambda's or S3's:

- kind: of work: the listing, or one of the jobs act, retrofit and copy.
- work: what one execution does, planned once; a *run* lists keys, a *job* may write.
- worker: one loop of the execution, with an equal share of segments, rates and budgets.
- turn: one invocation of a worker's function, which runs one batch.
- batch: the pages and writes of a turn; it decides, and threads make its requests (a pump).
- attempt: one try at a batch. Only one of them counts, see `skipscan.loop`.
- part: the lines of a batch, and its commit.
- checkpoint: a worker's progress after a batch, as the part's metadata name it.
- position: where a worker is in its share; for walks, their cursors.
- walk: the reading of one segment, from page to page.
- group: what a line stands for: an item collection, or the items in it whose sort keys share a prefix.
- level: the rule of that prefix.
- take: what a run writes beside the key of a group: its ends, each item, or a count.
- scope: what a run lists. Runs of one scope can be compared.
- booking: what a request is expected to consume, and may at most; reserved before, released after.
- allotment: what an attempt declared before, and may consume of a budget.
- seal: a digest by which a worker knows its own state.
- form: how a dataclass is stored as JSON; its number, in what is stored.
- mark: the attribute of an item that a job or a keeper put. Only such items are undone or deleted.
- late look: a second read of a changed item, when no older request can arrive any more, see `skipscan.copy`.
"""

import sys
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
    from skipscan.library.api import keys, list_into, plan, profile_table, start
    from skipscan.library.finished import Group, Run, StartedRun, open_run

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
        from skipscan.inputs.names import similar  # noqa: PLC0415 (after a mistake alone)

        near = next((f"; did you mean {each}?" for each in similar(name, __all__)), "")
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}{near}", name=name, obj=sys.modules[__name__]
        )
    from skipscan import errors  # noqa: PLC0415 (with the others)
    from skipscan.library import api, finished  # noqa: PLC0415 (they import boto3, which takes half a second)

    return next(vars(module)[name] for module in (errors, finished, api) if name in vars(module))


def __dir__() -> list[str]:
    return __all__
