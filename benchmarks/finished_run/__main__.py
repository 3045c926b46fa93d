"""`python -m benchmarks.finished_run [KEYS]` prints the figures; `--full`: of ten million keys, renews the results."""

import sys

from benchmarks.finished_run import QUICK_KEYS
from benchmarks.finished_run.document import put_in_docs, save
from benchmarks.finished_run.report import report

FULL_KEYS = 10_000_000

if "--full" in sys.argv[1:]:
    save(report(FULL_KEYS))
    put_in_docs()
else:
    report(int(sys.argv[1]) if sys.argv[1:] else QUICK_KEYS)
