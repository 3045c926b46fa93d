"""`python -m benchmarks.retrofit` prints the figures; `--full`, of 5,000 items, renews results.json and its page."""

import sys

from benchmarks.retrofit import quick
from benchmarks.retrofit.document import RETROFIT
from benchmarks.retrofit.race import race
from benchmarks.retrofit.report import show

FULL_ITEMS = 5_000

if "--full" in sys.argv[1:]:
    figures = race(FULL_ITEMS)
    show(figures)
    RETROFIT.renew(figures)
else:
    quick()
