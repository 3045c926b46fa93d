"""What ends a batch, and how long it waits when nothing may be asked for yet."""

from dataclasses import dataclass

from skipscan.pace.amounts import Amounts

WORKER_GB = 1769 / 1024
"""Memory: from 1769 MB on a Lambda has one whole vCPU (developer guide, "Configure function memory")."""

LOOK_SECONDS = 1.0
"""The longest pause at a time, so that a batch notices when it is over."""

FIRST_SECONDS = (15.0, 60.0)
"""How long a worker's first batches may take, so that the first figures of a run are soon there. Two turns more of the
loop a worker cost a hundredth of a cent."""


@dataclass(frozen=True)
class Bounds:
    """What ends a batch, whichever comes first; `None` is no bound.

    Each is looked at before a page is asked for, so that a batch overruns by one page per walk at most. `allotted`:
    what the worker may have consumed of its budgets by the batch's end, which one page alone may overrun. `gigabytes`:
    of the function, for its time counts against a budget in dollars.
    """

    seconds: float | None = None
    pages: int | None = None
    keys: int | None = None
    bytes: int | None = None
    allotted: Amounts | None = None
    gigabytes: float = WORKER_GB


@dataclass(frozen=True)
class Pause:
    """Nothing may be asked for yet: come again after so many seconds."""

    seconds: float
