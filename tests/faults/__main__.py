"""The soak: `python -m tests.faults [--schedules 50000] [--seed 0] [--processes 2]`.

Prints what was run as it goes, then every kind of fault and outcome with its count. Ends with 1, and the shortest
schedule it could cut it down to, when a run broke; the same seed finds it again.
"""

import argparse
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial

from tests.faults.fault_counts import FaultCounts
from tests.faults.run import run

CHUNK_SCHEDULES = 500


def main() -> int:
    asked = _arguments()
    begun = time.monotonic()
    total, broken = FaultCounts(), 0
    chunks = range(asked.seed, asked.seed + -(-asked.schedules // CHUNK_SCHEDULES))
    with ProcessPoolExecutor(asked.processes) as pool:
        running = {pool.submit(_chunk, number): number for number in chunks}
        for chunk in as_completed(running):
            found = chunk.result()
            if isinstance(found, str):
                broken += 1
                _say(f"seed {running[chunk]} broke a run:\n{found}")
            else:
                total += found
            _say(
                f"{total.schedules:,} schedules, {total.faults.total():,} faults, {broken} broken, "
                f"seed {running[chunk]}, {time.monotonic() - begun:,.0f} s"
            )
    for title, counted in (("Faults", total.faults), ("Outcomes of executions", total.outcomes)):
        _say(f"\n{title}")
        for kind, times in counted.most_common():
            _say(f"{times:10,}  {kind}")
    return 1 if broken else 0


def _chunk(number: int) -> FaultCounts | str:
    """Return what one seed's schedules were made of, or the schedule that broke a run."""
    try:
        return run(CHUNK_SCHEDULES, number)
    except Exception as error:
        notes = "\n".join(getattr(error, "__notes__", ()))
        return f"{traceback.format_exc()}\n{notes}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Random faults against the job.")
    parser.add_argument("--schedules", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first 500 schedules; the next 500 have the next")
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


_say = partial(print, flush=True, file=sys.stdout)

if __name__ == "__main__":
    sys.exit(main())
