"""What ends a batch, and how long it waits when nothing may be asked for yet."""

from dataclasses import dataclass

LOOK_SECONDS = 1.0
"""The longest pause at a time, so that a batch notices when it is over."""

FIRST_SECONDS = (15.0, 60.0)
"""How long a worker's first batches may take, so that the first figures of a run are soon there. Two turns more of the
loop a worker cost a hundredth of a cent."""


@dataclass(frozen=True)
class Bounds:
    """What ends a batch, whichever comes first; `None` is no bound.

    Each is looked at before a page is asked for, so that a batch overruns by one page per walk at most. `units`: what
    the worker may have consumed of its budget by the batch's end, which one page alone may overrun.
    """

    seconds: float | None = None
    pages: int | None = None
    keys: int | None = None
    bytes: int | None = None
    units: float | None = None


@dataclass(frozen=True)
class Pause:
    """Nothing may be asked for yet: come again after so many seconds."""

    seconds: float
