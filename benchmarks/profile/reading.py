"""One profile as the command reads it, measured in a process of its own.

As a program: `python -m benchmarks.profile.reading URL` prints the figures as JSON.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from types import SimpleNamespace
from typing import Any

from local.checkout import ROOT, environ
from local.embedded import SESSION
from skipscan.aws import answer, clients
from skipscan.dynamodb.prices import MONTHLY_US_EAST_1, US_EAST_1
from skipscan.pace.bill import Bill, Services, bounded
from skipscan.profile.page import profile_page
from skipscan.profile.requests import ProfileRequest, Profiling, RegionPrices
from skipscan.profile.tally import SegmentTally

DOLLARS = 1.0


@dataclass(frozen=True)
class Reading:
    """What a profile takes. `peak_mb`: of the process. `page_bytes`: of the HTML.

    Microseconds of processor time an item, all measured in the same process while it reads: `parsing` its JSON, by
    `json.loads` alone; `counting` it; `whole`, with the client, the figures and the page at the end. `bill`: as Plan's
    function of a gigabyte would pay.
    """

    items: int
    read_bytes: float
    requests: int
    peak_mb: float
    parsing: float
    counting: float
    whole: float
    seconds: float
    page_bytes: int
    bill: dict[str, float]

    @property
    def times(self) -> float:
        """What counting takes beside parsing."""
        return self.counting / self.parsing


class Stopwatch:
    """Adds up the processor time of calls."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*given: Any) -> Any:
            begun = process_time()
            found = call(*given)
            self.seconds += process_time() - begun
            return found

        return measured


def reading(url: str) -> Reading:
    """Return what the profile of a served table takes."""
    command = [sys.executable, "-m", "benchmarks.profile.reading", url]
    done = subprocess.run(command, env=environ(), cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return Reading(**json.loads(done.stdout))


def _measured(url: str) -> dict[str, Any]:
    parsing, counting = Stopwatch(), Stopwatch()
    answer.json = SimpleNamespace(loads=parsing.timed(json.loads), dumps=json.dumps)  # type: ignore[attr-defined,assignment]
    SegmentTally.add = counting.timed(SegmentTally.add)  # type: ignore[method-assign]
    client = clients.dynamodb(SESSION, connections=1, endpoint_url=url)
    asked = ProfileRequest("Made", bounded(None, None, DOLLARS), rate=None, seed=1)
    profiling = Profiling.of_table(client, asked, RegionPrices(lambda _: US_EAST_1, lambda: MONTHLY_US_EAST_1))
    begun, begun_cpu = perf_counter(), process_time()
    profile = profiling.read()
    page = profile_page(profile).encode()
    cpu, seconds = process_time() - begun_cpu, perf_counter() - begun
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    read = profile.reading
    if not read.is_exact or profile.items is None:
        raise RuntimeError("the table was not read whole")
    services = Services(gb_seconds=seconds, invocations=1, transitions=2, s3_puts=4, s3_gets=2)
    return {
        "items": read.items,
        "read_bytes": profile.items.bytes.estimate,
        "requests": read.requests,
        "peak_mb": peak,
        "parsing": parsing.seconds / read.items * 1e6,
        "counting": counting.seconds / read.items * 1e6,
        "whole": cpu / read.items * 1e6,
        "seconds": seconds,
        "page_bytes": len(page),
        "bill": Bill.of(US_EAST_1, read.read_units, 0.0, services).to_json(),
    }


if __name__ == "__main__":
    print(json.dumps(_measured(*sys.argv[1:])))
