"""The errors that a person can correct, with messages that say how.

The class name is the error name that an execution ends with; `str()` is its cause. Errors that are not listed here
(throttling, a lost connection) pass unchanged: the state machine decides whether to retry.
"""

from skipscan import DOCUMENTATION

ERRORS = "errors.md"
RESUME = "errors.md#resume"


class SkipscanError(Exception):
    """The base of all errors. The text has the value, the rule and the way out, and never a key value."""

    page = ERRORS
    """The page of the documentation about this error."""


class InputError(SkipscanError):
    """A field, a type or a value of the input is invalid."""


class TableError(SkipscanError):
    """The table or index does not exist, cannot be read, or is in a state in which it cannot be scanned."""


class BudgetError(SkipscanError):
    """The budget is used up and segments are left. The run is correct so far and can be resumed."""

    page = RESUME


class IncompleteRunError(SkipscanError):
    """The objects on S3 differ from what the workers reported, so no manifest is written."""

    page = RESUME


class StateError(SkipscanError):
    """A worker got a state that none of its turns returned. Continuing from this state could lose keys."""

    page = RESUME


class BatchError(SkipscanError):
    """A batch made no progress for a reason outside the input: a permission, a service, a connection."""


class DeniedError(BatchError):
    """A permission is missing, or a key or bucket does not exist. A retry would cost units and change nothing."""


class NotFoundError(SkipscanError):
    """The named run or environment does not exist, or is of another kind."""


def read_on(message: str, where: str) -> str:
    """Return a message that ends with where to read on, unless the message names a page already."""
    if " (see " in message:
        return message
    return f"{message if message.endswith('...') else message.removesuffix('.')} (see {where})"


def page(name: str) -> str | None:
    """Return the address of a page of the documentation; `None` if this installation knows no address."""
    return f"{DOCUMENTATION}/{name}" if DOCUMENTATION else None
