"""What the attribute keeper does to a changed item: it settles the item as it is, not as its record tells."""

from collections.abc import Sequence

from skipscan.aws.follower import Spent
from skipscan.aws.retrofit_table import RetrofitItems
from skipscan.items.assignments import Assignments
from skipscan.items.request import Written
from skipscan.retrofit.settling import Look, RetrofitOutcome, Settling
from skipscan.stream.delivery import Change


class AttributeKeeping:
    """Sets attributes on one item at a time. Safe to use from several threads. `by`: the table's key attributes."""

    done = frozenset(map(str, set(RetrofitOutcome) - {RetrofitOutcome.CONTENDED}))
    quiet = frozenset(map(str, (RetrofitOutcome.WRITTEN, RetrofitOutcome.RIGHT, RetrofitOutcome.GONE)))

    def __init__(self, assignments: Assignments, items: RetrofitItems, by: Sequence[str]) -> None:
        self._assignments = assignments
        self._items = items
        self.by = by
        self.spent = Spent()

    def settle(self, change: Change) -> str:
        """Do an item's steps to its end; raises what DynamoDB raises."""
        settling = Settling(self._assignments, change.key)
        while settling.outcome is None:
            if settling.step is None or isinstance(settling.step, Look):
                looked = self._items.look(settling.key)
                self.spent.count(read_units=looked.read_units)
                settling.found(looked.item)
                continue
            answer = self._items.update(settling.key, settling.step)
            if isinstance(answer, Written):
                self.spent.count(write_units=answer.write_units, updated=1)
                settling.written()
            else:
                self.spent.count()
                settling.conflicted(answer.item)
        return settling.outcome
