"""`python -m benchmarks.writers` prints the table; `--full` renews results.json and docs/scale.md."""

import sys

from benchmarks.writers.document import WRITERS
from benchmarks.writers.rates import measure, show

full = "--full" in sys.argv[1:]
figures = measure(4_000 if full else 2_000, rounds=5 if full else 3)
show(figures)
if full:
    WRITERS.renew({"ways": figures})
