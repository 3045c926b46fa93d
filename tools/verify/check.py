"""One check: an assumption about AWS, and the function that tries it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from verify.errors import NotHeldError

if TYPE_CHECKING:
    from verify.kit import Kit

Trial = Callable[["Kit"], str]
"""Returns what was seen if the assumption held; raises `NotHeldError` or `NotTriedError`."""


class Outcome(StrEnum):
    HELD = "held"
    NOT_HELD = "did not hold"
    NOT_TRIED = "could not be tried"


@dataclass(frozen=True)
class Check:
    """An assumption in one sentence.

    `source`: the address of the page that says it, or comes nearest. `breaks`: what breaks if it does not hold.
    `dollars`: what the trial costs besides the tables.
    `seconds`: how long it takes on AWS.
    """

    name: str
    assumption: str
    source: str
    breaks: str
    trial: Trial
    dollars: float = 0.0
    seconds: float = 2.0


REGISTERED: dict[str, Check] = {}
"""By name; `verify.checks` has them in their order."""


def check(
    name: str,
    assumption: str,
    *,
    source: str,
    breaks: str,
    dollars: float = 0.0,
    seconds: float = 2.0,
) -> Callable[[Trial], Trial]:
    """Register the trial of an assumption."""

    def register(trial: Trial) -> Trial:
        if name in REGISTERED:
            raise ValueError(f"there are two checks named {name}")
        REGISTERED[name] = Check(name, assumption, source, breaks, trial, dollars, seconds)
        return trial

    return register


def hold(condition: bool, seen: str) -> None:
    """Raise `NotHeldError` with what was seen unless a condition is true."""
    if not condition:
        raise NotHeldError(seen)
