"""What goes wrong by somebody's mistake, in words that somebody can act on.

The class name is the error name that an execution ends with; `str()` is its cause. Whatever is not listed
here (throttling, a lost connection) travels up unchanged: the state machine decides whether to try again.
"""

from skipscan import DOCUMENTATION

ERRORS = "errors.md"
RESUME = "errors.md#resume"


class SkipscanError(Exception):
    """The base of all: its text says the value, the rule and the way out, and never holds a key value."""

    page = ERRORS
    """The page of the documentation to read on."""


class InputError(SkipscanError):
    """The caller asked for something that cannot be: a field, a type or a value is wrong."""


class TableError(SkipscanError):
    """The table or index does not exist, may not be read, or is in no state to be scanned."""


class BudgetError(SkipscanError):
    """The budget is used up and segments are left: the run is whole so far, and can be resumed."""

    page = RESUME


class IncompleteRunError(SkipscanError):
    """What lies on S3 is not what the workers reported, so no manifest may be written."""

    page = RESUME


class StateError(SkipscanError):
    """A worker was handed a state that none of its turns returned: going on from it could lose keys."""

    page = RESUME


class BatchError(SkipscanError):
    """A batch got nothing done, by no mistake that the input shows: a permission, a service, a connection."""


class DeniedError(BatchError):
    """A permission is missing, or a key or bucket is gone: trying again would cost units and change nothing."""


class NotFoundError(SkipscanError):
    """The run or the environment that was named does not exist, or is not what was asked for."""


def read_on(message: str, where: str) -> str:
    """Return a message that ends with where to read on, unless it does already."""
    return message if " (see " in message else f"{message.removesuffix('.')} (see {where})"


def page(name: str) -> str | None:
    """Return the address of a page of the documentation; `None` where this installation knows none."""
    return f"{DOCUMENTATION}/{name}" if DOCUMENTATION else None
