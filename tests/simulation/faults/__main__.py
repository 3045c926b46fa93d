"""The soak: `python -m tests.simulation.faults [--schedules 50000] [--histories 20000] [--seed 0] [--processes 2]`.

Schedules of faults against listings, and histories of versions of all that writes (`tests.simulation.histories`).
Prints what was run as it goes, then every kind of fault and outcome with its count. Ends with 1 when a run broke, or
the law: the same seed finds it again, and of a schedule of faults the shortest form that was found is shown.
"""

import argparse
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial

from tests.simulation.faults.run import run
from tests.simulation.histories.run import LawBrokenError
from tests.simulation.histories.run import schedules as histories
from tests.simulation.world.fault import FaultCounts

CHUNK_SCHEDULES = 500
CHUNK_HISTORIES = 100


def main() -> int:
    asked = _arguments()
    begun = time.monotonic()
    total, broken, judged, happened = FaultCounts(), 0, 0, Counter[str]()
    chunks = range(asked.seed, asked.seed + -(-asked.schedules // CHUNK_SCHEDULES))
    firsts = range(asked.seed, asked.seed + asked.histories, CHUNK_HISTORIES)
    _say(f"seed {asked.seed}: {asked.histories:,} histories, {asked.schedules:,} schedules of faults")
    with ProcessPoolExecutor(asked.processes) as pool:
        for judging in as_completed([pool.submit(_histories, first) for first in firsts]):
            counted, broke = judging.result()
            happened += counted
            judged += CHUNK_HISTORIES
            broken += len(broke)
            _say("\n".join(broke) or f"{judged:,} histories, {broken} broken, {time.monotonic() - begun:,.0f} s")
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
    titles = {"Faults": total.faults, "Outcomes of executions": total.outcomes, "Histories": happened}
    for title, counts in titles.items():
        _say(f"\n{title}")
        for kind, times in counts.most_common():
            _say(f"{times:10,}  {kind}")
    return 1 if broken else 0


def _chunk(number: int) -> FaultCounts | str:
    """Return what one seed's schedules were made of, or the schedule that broke a run."""
    try:
        return run(CHUNK_SCHEDULES, number)
    except Exception as error:
        notes = "\n".join(getattr(error, "__notes__", ()))
        return f"{traceback.format_exc()}\n{notes}"


def _histories(first: int) -> tuple[Counter[str], list[str]]:
    """Return what happened in the histories from a seed on, and how the law was broken."""
    happened, broken = Counter[str](), []
    for seed in range(first, first + CHUNK_HISTORIES):
        try:
            happened += histories(1, seed)
        except LawBrokenError as error:
            broken.append(f"the law is broken: {error}")
        except Exception:
            broken.append(f"history {seed} broke:\n{traceback.format_exc()}")
    return happened, broken


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation.faults", description="Random faults against the job."
    )
    parser.add_argument("--schedules", type=int, default=50_000)
    parser.add_argument("--histories", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first 500 schedules; the next 500 have the next")
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


_say = partial(print, flush=True, file=sys.stdout)

if __name__ == "__main__":
    sys.exit(main())
