"""Schedules by kind and seed: each one is judged by the law when nothing is under way any more."""

from collections import Counter
from functools import partial
from typing import Any

from tests.simulation.histories.acts import ACTIONS, Act
from tests.simulation.histories.followers import AttributeKeeper, MarkerKeeper, Replicator
from tests.simulation.histories.hand_over import HANDED, HandOver
from tests.simulation.histories.items import Copy, Retrofit
from tests.simulation.histories.law import complaint
from tests.simulation.histories.tables import NEW, OLD, RENAME
from tests.simulation.histories.world import History
from tests.simulation.world.functions import functions

KINDS: dict[str, Any] = {
    **{action: partial(Act, action=action) for action in ACTIONS},
    **{action: partial(HandOver, action=action) for action in HANDED},
    "retrofit": Retrofit,
    "rename": partial(Retrofit, asked=RENAME),
    "attribute keeper": AttributeKeeper,
    "renaming keeper": partial(AttributeKeeper, asked=RENAME),
    "marker keeper": MarkerKeeper,
    "copy": Copy,
    "replicator": Replicator,
    "calm copy": partial(Copy, is_calm=True),
    "calm replicator": partial(Replicator, is_calm=True),
}
COPIES = ("copy", "replicator", "calm copy", "calm replicator")
"""What brings a table into a new one. In a calm schedule both must agree without any late look."""


class LawBrokenError(AssertionError):
    """The product harmed what the application wrote, and no documentation says so."""


def judge(kind: str, seed: int) -> Counter[str]:
    """Run one schedule; return what happened in it; raise `LawBrokenError` with the kind and the seed."""
    world = History(seed, (OLD, NEW))
    writer = KINDS[kind](world)
    told: Counter[str] = Counter()
    try:
        world.run(writer)
        broken = complaint(world.tables[OLD], writer, told) or writer.finished()
    except AssertionError as error:
        broken = f"{error}"
    if broken:
        raise LawBrokenError(f"{kind}, seed {seed}: {broken}")
    return world.faults + Counter({f"{kind}: {reason}": times for reason, times in told.items()})


def schedules(times: int, seed: int, kinds: tuple[str, ...] = tuple(KINDS)) -> Counter[str]:
    """Run so many schedules, the kinds taking turns; return what happened in them."""
    happened: Counter[str] = Counter()
    with functions().simulated():
        for number in range(seed, seed + times):
            happened += judge(kinds[number % len(kinds)], number)
    return happened
