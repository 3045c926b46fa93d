"""`python -m benchmarks.finished_run [KEYS]` prints the figures; `--full`: of ten million keys, renews the results."""

import sys

from benchmarks.finished_run import QUICK_KEYS
from benchmarks.finished_run.document import FINISHED_RUN
from benchmarks.finished_run.report import report

FULL_KEYS = 10_000_000

if "--full" in sys.argv[1:]:
    FINISHED_RUN.renew(report(FULL_KEYS))
else:
    report(int(sys.argv[1]) if sys.argv[1:] else QUICK_KEYS)
