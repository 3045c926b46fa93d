"""Whether pages go on: an engine that answers with a LastEvaluatedKey again would be asked for ever."""

from skipscan.dynamodb.source import Item
from skipscan.errors import TableError

MOST_REPEATS = 10


class Progression:
    """Watches the LastEvaluatedKeys of one walk, and keeps one of them.

    The key that is kept is replaced after 1, 2, 4, 8 ... pages, so that a circle of any length is met (R. P. Brent, "An
    improved Monte Carlo factorization algorithm", 1980). A page may end where it began and the next one go on, so the
    key has to come up several times.
    """

    def __init__(self) -> None:
        self._kept: Item | None = None
        self._pages, self._most_pages, self._repeats = 0, 1, 0

    def check(self, last_evaluated_key: Item | None) -> None:
        """Take in a page's key; raise `TableError` if the walk was there before."""
        if last_evaluated_key is None:
            return
        self._repeats += last_evaluated_key == self._kept
        if self._repeats > MOST_REPEATS:
            raise TableError(
                "the table's endpoint answered with the same LastEvaluatedKey again, so its pages would never end: "
                "no keys are lost, and none come; report it to whoever runs the endpoint"
            )
        self._pages += 1
        if self._pages == self._most_pages:
            self._kept, self._pages, self._most_pages, self._repeats = last_evaluated_key, 0, 2 * self._most_pages, 0
