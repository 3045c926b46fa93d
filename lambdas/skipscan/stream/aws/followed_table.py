"""A check before each write of a follower: its records may be of a table that was deleted and created again since.

In a table that was created again, items are missing that nobody deleted.
"""

import time
from collections.abc import Callable

from skipscan.aws import table
from skipscan.aws.services import DynamoDBClient
from skipscan.items.aws.same_tables import FRESH_SECONDS, Rechecked
from skipscan.stream.followed import check_followed


class FollowedTable(Rechecked):
    """The table whose stream a function follows. Make one for each invocation.

    `check` raises `TableError` unless the table is the followed one, and what AWS raises if it cannot be described.
    """

    def __init__(
        self, client: DynamoDBClient, name: str, stream: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(
            lambda: check_followed(table.describe(client, name), stream),
            clock,
            # Kept, so that other threads do not wait for the retries of another request.
            error_seconds=FRESH_SECONDS,
        )
