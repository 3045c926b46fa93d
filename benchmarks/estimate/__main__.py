"""`python -m benchmarks.estimate 3000 3600`: the coverage over the random tables of these seeds."""

import sys

from benchmarks.estimate.coverage import coverage, show

show(coverage(range(int(sys.argv[1]), int(sys.argv[2]))))
