"""The processor time of our whole path for a page, compared with a bare `client.scan` of the same request."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time

from benchmarks.client.bare import asked, scan
from benchmarks.client.canned import DESCRIPTION, canned
from benchmarks.client.ours import listed
from benchmarks.client.workers import workers
from local.authority import Authority
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.scan.plan import WALKS


@dataclass(frozen=True)
class Cpu:
    """Milliseconds of processor time a page, as medians. The ratios are medians too, of rounds that ran side by side.

    `ours`: as in a worker. `over_boto3`: the same with boto3 for all calls. `lean`: only `scan` of a worker's client.
    `bare`: only `client.scan` of an ordinary boto3 client. `fastest`: `ours` in the fastest round, because other load
    only slows a round down.
    """

    ours: float
    over_boto3: float
    lean: float
    bare: float
    ratio: float
    boto3_ratio: float
    lean_ratio: float
    fastest: float


def measure(items: int, *, pages: int, long_pages: int = 0, rounds: int, authority: Authority | None = None) -> Cpu:
    """Compare in rounds that take turns, all with the same number of threads, on pages of so many items.

    `long_pages`: of our whole path, whose first few hundred pages open connections and plan the Limit dozens of times,
    where a batch has tens of thousands.
    """
    long_pages = long_pages or pages
    with canned(items, authority) as url, workers(url, authority) as of:
        whole = plan_listing(parse({"table": DESCRIPTION.name, "workers": 1}), DESCRIPTION)
        requests = asked(of.over_boto3, whole, pages)
        for client in (of.bare, of.lean):  # opens its connections, and passes its trial
            scan(client, requests[:WALKS])
        runs: list[Callable[[], object]] = [
            lambda: listed(of.lean, whole, pages=long_pages),
            lambda: listed(of.over_boto3, whole, pages=pages),
            lambda: scan(of.lean, requests),
            lambda: scan(of.bare, requests),
        ]
        of_run = (long_pages, pages, pages, pages)
        taken = [[milliseconds(run) / number for run, number in zip(runs, of_run, strict=True)] for _ in range(rounds)]
    columns = list(zip(*taken, strict=True))
    ratios = [median(one / bare for one, bare in zip(column, columns[3], strict=True)) for column in columns[:3]]
    figures = [*map(median, columns), *ratios, min(columns[0])]
    return Cpu(*figures)


def milliseconds(run: Callable[[], object]) -> float:
    """Return the processor time of all threads together."""
    begun = process_time()
    run()
    return (process_time() - begun) * 1000
