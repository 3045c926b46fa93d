"""`python -m benchmarks.estimate 3000 3600 [KEYS]`: the coverage over the random tables of these seeds.

KEYS: the maximum number of keys of a table (default: 100,000).
"""

import sys

from benchmarks.estimate.coverage import coverage, show

show(coverage(range(int(sys.argv[1]), int(sys.argv[2])), *map(float, sys.argv[3:])))
