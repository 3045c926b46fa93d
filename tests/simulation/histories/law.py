"""The law of everything that writes.

Every write of the application that the user was not told would be overwritten is still there at the end, and nothing
that the application deleted is back.

It is judged version by version. Each write of the product is compared with the version that it replaced: what it took
from the application is its harm. A kind of writer names, as code, the harm that the documentation tells of; any other
breaks the law. Nobody but the application can take from the application afterwards, so what holds of each version
holds at the end.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.fakes.attribute_value import Item
from tests.simulation.histories.application import Application
from tests.simulation.histories.versions import Key, Table, Version, Write
from tests.simulation.world.attempt import Attempt

KEY = {"pk", "sk"}


@dataclass(frozen=True)
class Harm:
    """What one write took from the application.

    `before`, `after`: the item. `lost`: attributes of the application that are gone or other. `back`: the item that
    the application had deleted, where the write made one in its place. `ended`: when its collection had ended, if that
    had no item at all before the write.
    """

    key: Key
    by: Write
    before: Item | None
    after: Item | None
    lost: frozenset[str]
    back: Item | None
    ended: int | None

    def was_added_unseen(self, table: Table) -> bool:
        """Tell whether all that is lost was added after the writer's look at the item.

        No condition can name an attribute that the look did not show.
        """
        looked = self.by.looked
        return looked is not None and not self.lost & (table.at(self.key, looked) or {}).keys()


class Writer:
    """A kind of writer in the hands of a schedule. `application`: what others do to its tables."""

    application: Application

    @property
    def awaits(self) -> bool:
        """Whether an invocation is to be made before all is done."""
        raise NotImplementedError

    def invoke(self, *, again: bool) -> Attempt | None:
        """Begin an invocation; `again`: one that is made already, or from an older state."""
        raise NotImplementedError

    def abandoned(self, attempt: Attempt) -> None:
        """Record that nobody waits for an invocation any more, while it continues."""
        raise NotImplementedError

    def due(self, now: float) -> float | None:
        """Return when something waits for its time; `None` if nothing does."""
        return None

    def told(self, harm: Harm) -> str | None:
        """Return the documented reason for such harm; `None` if the documentation has none."""
        return None

    def at_end(self) -> str:
        """Complain of what is not as it must be when nothing is under way any more."""
        raise NotImplementedError

    def finished(self) -> str:
        """Complain of work that is not whole."""
        return ""


def harms(table: Table) -> Iterator[Harm]:
    """Yield what every write of the product took from the application, its writes that took nothing included."""
    for key, versions in table.versions.items():
        for place, version in enumerate(versions):
            if version.by is None:
                continue
            before = versions[place - 1] if place else None
            standing = before.item if before else None
            lost: frozenset[str] = frozenset()
            if before is not None and standing is not None:
                kept = {name for name, value in (version.item or {}).items() if standing.get(name) == value}
                lost = before.theirs - kept - KEY
            deleted = before is not None and standing is None and before.by is None
            back = versions[place - 2].item if deleted and version.item is not None else None
            ended = _ended(table, key, version) if standing is None and version.item is not None else None
            yield Harm(key, version.by, standing, version.item, lost, back, ended)


def _ended(table: Table, key: Key, version: Version) -> int | None:
    """Return when the collection of an item had ended before a version of it; `None` if it had not."""
    last = 0
    for other, versions in table.versions.items():
        if other[0] != key[0]:
            continue
        earlier = [each for each in versions if each.at < version.at]
        if earlier and earlier[-1].item is not None:
            return None
        last = max([last, *(each.at for each in earlier)])
    return last


def complaint(table: Table, writer: Writer, told: Counter[str]) -> str:
    """Return how the law was broken, if it was; count documented harm in `told`."""
    for harm in harms(table):
        if not (harm.lost or harm.back or harm.ended is not None):
            told["no harm"] += 1
        elif reason := writer.told(harm):
            told[reason] += 1
        else:
            return f"{harm.key}: {sorted(harm.lost)} lost, {harm.back} back: {harm.before} became {harm.after}"
    return writer.at_end()
