"""`python -m benchmarks.retrofit [ITEMS]`."""

import sys

from benchmarks.retrofit.race import race
from benchmarks.retrofit.report import show

show(race(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
