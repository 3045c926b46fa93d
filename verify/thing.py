"""What the kit makes, and what all of it is named and tagged with."""

from dataclasses import dataclass
from enum import StrEnum

TAG = "skipscan-verify"
"""The key of the tag; its value is the environment's name."""


def prefix(environment: str) -> str:
    """Return what every name begins with. A bucket takes no capital letters, so no name has any of them."""
    return f"skipscan-verify-{environment.lower()}-"


class Kind(StrEnum):
    """In the order of removal.

    `SCHEDULES`: with all schedules in it. `EXECUTION`: is stopped. `RESULTS`: of the environment's runs over a table.
    """

    SCHEDULES = "schedule group"
    EXECUTION = "execution"
    MAPPING = "event source mapping"
    STATE_MACHINE = "state machine"
    FUNCTION = "function"
    ROLE = "role"
    RESULTS = "results"
    BUCKET = "bucket"
    QUEUE = "queue"
    TABLE = "table"


@dataclass(frozen=True)
class Thing:
    """`name`: its ARN, of executions and state machines; of results the bare name of their table.

    Of a queue its URL, of a mapping its UUID.
    """

    kind: Kind
    name: str
