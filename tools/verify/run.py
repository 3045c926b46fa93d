"""Runs checks one after the other, and takes down how each ended."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from botocore.exceptions import BotoCoreError, ClientError

from verify.check import Check, Outcome
from verify.errors import NotHeldError, NotTriedError
from verify.kit import UNKNOWN_OPERATION, Kit

REFUSED = {
    *UNKNOWN_OPERATION,
    *("AccessDenied", "AccessDeniedException", "AuthorizationError", "UnauthorizedOperation"),
    *("LimitExceededException", "ServiceQuotaExceededException", "OptInRequired", "UnrecognizedClientException"),
    *("ExpiredToken", "ExpiredTokenException", "TooManyBuckets", "UnknownError"),
}
"""Codes that say nothing about an assumption: a permission, a quota or the call itself is missing."""


@dataclass(frozen=True)
class Finding:
    """How a check ended. `seen`: what was seen, or why it could not be tried."""

    check: Check
    outcome: Outcome
    seen: str
    seconds: float


def run(kit: Kit, checks: Iterable[Check], clock: Callable[[], float] = time.monotonic) -> Iterator[Finding]:
    """Return how each check ends, as it ends."""
    for each in checks:
        start = clock()
        outcome, seen = attempt(kit, each)
        yield Finding(each, outcome, seen, clock() - start)


def attempt(kit: Kit, check: Check) -> tuple[Outcome, str]:
    try:
        return Outcome.HELD, check.trial(kit)
    except NotHeldError as error:
        return Outcome.NOT_HELD, str(error)
    except NotTriedError as error:
        return Outcome.NOT_TRIED, str(error)
    except Exception as error:
        return _of_error(error)


def _of_error(error: Exception) -> tuple[Outcome, str]:
    """Return what an error says that no check expects."""
    if isinstance(error, ClientError):
        code = str(error.response["Error"].get("Code"))
        # botocore makes a code of the HTTP status where an answer names none, as no service of AWS answers.
        return (Outcome.NOT_TRIED if code in REFUSED or code.isdigit() else Outcome.NOT_HELD), str(error)
    seen = f"{type(error).__name__}: {error}"
    if isinstance(error, (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)):
        return Outcome.NOT_HELD, f"an answer is not as expected: {seen}"
    return Outcome.NOT_TRIED, seen if isinstance(error, BotoCoreError) else f"the check has a defect: {seen}"
