"""`python -m benchmarks.profile [BYTES]`: a gigabyte of each shape by default."""

import sys

from benchmarks.profile.report import report

report(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000_000)
