"""`python -m benchmarks.copy` prints the figures; `--full`, of 3,000 items, renews results.json and its page."""

import sys

from benchmarks.copy import quick
from benchmarks.copy.document import COPY
from benchmarks.copy.race import race
from benchmarks.copy.report import show

FULL_ITEMS = 3_000

if "--full" in sys.argv[1:]:
    figures = race(FULL_ITEMS)
    show(figures)
    COPY.renew(figures)
else:
    quick()
