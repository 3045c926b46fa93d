"""`python -m benchmarks.copy [ITEMS]`."""

import sys

from benchmarks.copy.race import race
from benchmarks.copy.report import show

show(race(int(sys.argv[1]) if len(sys.argv) > 1 else 3_000))
