"""`python -m benchmarks.act` prints the figures."""

from benchmarks.act.report import report

report()
