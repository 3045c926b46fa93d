"""How many functions may run at once, according to Lambda; a default without permission, network or time.

Lambda refuses invocations with 429 while the concurrency of the account and region is used up
(https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
"""

from dataclasses import dataclass
from typing import Any, Protocol

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws import clients

DEFAULT = 1_000
"""The default quota of an account, shared by all its functions in a region; new accounts begin with less."""

LEFT_FREE = 0.1
"""The share of the account's concurrency that is left to other functions."""


class AccountSettings(Protocol):
    """The part of boto3's client that is used here."""

    def get_account_settings(self) -> Any: ...


def lambda_client(session: boto3.Session) -> AccountSettings:
    """Return a client that gives up quickly: a plan must not wait for a number that has a default."""
    config = Config(connect_timeout=1, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 1})
    found: AccountSettings = clients.make(session, "lambda", config)
    return found


@dataclass(frozen=True)
class FreeFunctions:
    """`free`: how many functions may run at once. `source`: of the number, in words. `shared`: with other functions."""

    free: int
    source: str
    shared: bool = True

    @classmethod
    def of(cls, lambda_: AccountSettings, reserved: int | None) -> "FreeFunctions":
        """Return the reserved concurrency of the workers' function, or else the account's unreserved concurrency."""
        if reserved is not None:
            return cls(reserved, "reserved_concurrency of the environment", shared=False)
        try:
            limit = lambda_.get_account_settings()["AccountLimit"]
            return cls(int(limit["UnreservedConcurrentExecutions"]), "the account's unreserved concurrency")
        except (BotoCoreError, ClientError, KeyError, TypeError, ValueError):
            return cls(DEFAULT, "Lambda's default for an account, because the account's value could not be read")

    @property
    def most_workers(self) -> int:
        """Return how many workers a run may have so that none is refused."""
        return max(1, int(self.free * (1 - LEFT_FREE)) if self.shared else self.free)

    def lowered(self, workers: int) -> str | None:
        """Return the note for a run that wanted so many workers; `None` if it can have them."""
        if workers <= self.most_workers:
            return None
        rest = ", and one tenth is reserved for other functions" if self.shared else ""
        return (
            f"workers is lowered from {workers:,} to {self.most_workers:,}: Lambda runs {self.free:,} functions at "
            f"once ({self.source}){rest}. For more workers, request a higher quota."
        )

    def to_json(self) -> dict[str, Any]:
        return {"free": self.free, "source": self.source, "most_workers": self.most_workers}
