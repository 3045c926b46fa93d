"""`python -m benchmarks.estimate.shapes`: cost and accuracy of a sample, over shapes that were not used for tuning."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product
from statistics import median

import numpy as np

from skipscan.listing.estimate.estimate import estimate
from tests.unit.listing.estimate.case import Case
from tests.unit.listing.estimate.hashed_table import HashedTable, Numbers
from tests.unit.listing.estimate.random_table import run
from tests.unit.listing.estimate.sampled import sampled

KEYS = 8_000

LENGTHS: dict[str, Callable[[np.random.Generator], Numbers]] = {
    "1 item": lambda chance: np.ones(KEYS),
    "1 to 4": lambda chance: chance.integers(1, 5, KEYS),
    "12": lambda chance: np.full(KEYS, 12),
    "geometric, mean 40": lambda chance: chance.geometric(1 / 40, KEYS),
    "1 or 300": lambda chance: np.where(chance.random(KEYS) < 0.2, 300, 1),
    "Pareto 1.5": lambda chance: np.minimum(1 + chance.pareto(1.5, KEYS) * 3, 30_000),
    "lognormal, median 100": lambda chance: np.ceil(chance.lognormal(4.6, 1.0, KEYS)),
}
BYTES: dict[str, Callable[[np.random.Generator], Numbers]] = {
    "64 B": lambda chance: np.full(KEYS, 64),
    "400 B": lambda chance: np.full(KEYS, 400),
    "lognormal, median 1 KB": lambda chance: np.clip(chance.lognormal(7.0, 0.8, KEYS), 50, 400_000),
    "6 KB": lambda chance: np.full(KEYS, 6_000),
    "1 in 200 is 200 KB": lambda chance: np.where(chance.random(KEYS) < 0.005, 200_000, 300),
}


def shape(length: str, size: str) -> HashedTable:
    """Return the table with so many items a key and such sizes."""
    number = 1 + list(LENGTHS).index(length) * len(BYTES) + list(BYTES).index(size)
    chance = np.random.default_rng(77_000 + number)
    return HashedTable.spread(LENGTHS[length](chance), BYTES[size](chance), 77_000 + number)


def shapes() -> Iterator[tuple[str, HashedTable]]:
    """Return 34 tables: every length with every size, except the largest combination, which takes minutes to walk."""
    for length, size in product(LENGTHS, BYTES):
        if (length, size) != ("lognormal, median 100", "6 KB"):
            yield f"{length} of {size}", shape(length, size)


def main() -> None:
    from benchmarks.estimate.coverage import figures  # noqa: PLC0415  (it is not needed by whoever takes the shapes)

    held: dict[str, list[bool]] = defaultdict(list)
    widths: dict[str, list[float]] = defaultdict(list)
    parts: list[tuple[float, str]] = []
    first = int(sys.argv[1]) if sys.argv[1:] else 0
    for number, (name, table) in enumerate(shapes()):
        if number < first:
            continue
        plan = table.plan(strategy="skip")
        sample = sampled(table, plan, seed=number)
        case = Case(table, plan, sample, estimate(sample, plan.step_units))
        took, whole = run(table, plan).read_units, table.full_scan(1)[0]
        parts.append((sample.read_units / took, name))
        row = [f"{sample.read_units:,.1f} of {took:,.1f} (whole {whole:,.1f})"]
        for figure, estimated, truth in figures(case):
            holds = estimated.low - 1e-6 <= truth <= estimated.high + 1e-6
            held[figure].append(holds)
            widths[figure].append(estimated.relative_error)
            if not holds:
                row.append(f"{figure}: {truth:,.0f} not in {estimated.low:,.0f} to {estimated.high:,.0f}")
        sys.stdout.write(f"{name:42} {'; '.join(row)}\n")
        sys.stdout.flush()
    for figure, holding in held.items():
        width = median(widths[figure])
        sys.stdout.write(f"{figure:28} {sum(holding)} of {len(holding)} inside, median half-width {width:.1%}\n")
    sys.stdout.write(
        f"sample's part of the run: median {median(part for part, _ in parts):.1%}, "
        f"worst {max(parts)[0]:.1%} ({max(parts)[1]})\n"
    )


if __name__ == "__main__":
    main()
