"""The processor time of our whole path for a page, beside that of a bare `client.scan` with the same request."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time

from botocore.config import Config

from benchmarks.client.bare import asked, scan
from benchmarks.client.canned import DESCRIPTION, canned
from benchmarks.client.ours import listed
from local.embedded import SESSION
from skipscan.aws import clients
from skipscan.listing.execution_input import parse
from skipscan.scan.plan import WALKS, plan


@dataclass(frozen=True)
class Cpu:
    """Milliseconds of processor time a page, and ours in units of the other two; medians, the ratios' too.

    `bare`: over a client as boto3 makes it. `lean`: over the client that we use ourselves.
    """

    ours: float
    bare: float
    lean: float
    ratio: float
    lean_ratio: float


def measure(items: int, *, pages: int, rounds: int) -> Cpu:
    """Compare over rounds in which the three take turns, all with as many threads, on pages of so many items."""
    with canned(items) as url:
        own = clients.dynamodb(SESSION, WALKS, url)
        bare = SESSION.client("dynamodb", endpoint_url=url, config=Config(max_pool_connections=WALKS))
        whole = plan(parse({"table": DESCRIPTION.name, "workers": 1}), DESCRIPTION)
        requests = asked(own, whole, pages)
        scan(bare, requests)  # to have its connections
        taken = [
            (
                milliseconds(lambda: listed(own, whole, pages=pages)) / pages,
                milliseconds(lambda: scan(bare, requests)) / pages,
                milliseconds(lambda: scan(own, requests)) / pages,
            )
            for _ in range(rounds)
        ]
    return Cpu(
        ours=median(ours for ours, _, _ in taken),
        bare=median(bare for _, bare, _ in taken),
        lean=median(lean for _, _, lean in taken),
        ratio=median(ours / bare for ours, bare, _ in taken),
        lean_ratio=median(ours / lean for ours, _, lean in taken),
    )


def milliseconds(run: Callable[[], object]) -> float:
    """Return the processor time that all threads together take for it."""
    begun = process_time()
    run()
    return (process_time() - begun) * 1000
