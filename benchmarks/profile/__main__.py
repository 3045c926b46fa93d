"""`python -m benchmarks.profile [BYTES]` prints the figures; `--full`: of 200 MB each, renews results.json."""

import sys

from benchmarks.profile.document import PROFILE
from benchmarks.profile.report import report

SOME_BYTES, FULL_BYTES = 50_000_000, 200_000_000

if "--full" in sys.argv[1:]:
    PROFILE.renew({"tables": report(FULL_BYTES)})
else:
    report(int(sys.argv[1]) if sys.argv[1:] else SOME_BYTES)
