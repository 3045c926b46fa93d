"""What a schedule begins with."""

from dataclasses import dataclass

from tests.simulation.world.world import LAMBDA_SECONDS


@dataclass(frozen=True)
class Setting:
    """What a schedule begins with.

    `kind`: of the work. `max_read_units`: of a kind that writes, its write units. `action`: what an act does.
    `honours_skips`: whether the engine does. `listing`: names on a page of S3's. `plan_calls`: how far Plan has come;
    `None`: to its end. `storage`: `bucket` or `folder`. `takes`: each line has the collection's first and last item;
    `within`: of the sort keys with a prefix, where they are texts. `counts`: instead of items, each line has the number
    of items up to this; 0: all. `collects`: instead, each item has a line, in this order. `groups`: all of this of the
    groups within collections, where sort keys are texts. `only`: of some given keys.
    """

    kind: str = "listing"
    action: str = "put_item"
    table: str = "Mixed"
    segments: int = 3
    workers: int = 1
    batch_pages: int = 2
    max_read_units: float | None = None
    rate: float | None = None
    honours_skips: bool = True
    lambda_seconds: float = LAMBDA_SECONDS
    listing: int = 1000
    plan_calls: int | None = None
    takes: bool = False
    within: bool = False
    counts: int | None = None
    collects: str | None = None
    groups: bool = False
    only: bool = False
    seed: int = 0
    storage: str = "bucket"
