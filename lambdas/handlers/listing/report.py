"""Report: draw the page about a finished run. Nothing that goes wrong here fails the execution."""

from skipscan.aws.function import Function
from skipscan.listing.kind import LISTING
from skipscan.loop.results import Results
from skipscan.report.aws.reporting import reporting
from skipscan.report.folder import StoredWork
from skipscan.report.listing import listing
from skipscan.report.record import WorkRecord
from skipscan.report.report import Report
from skipscan.report.trend import earlier_runs

function = Function.of(LISTING)


def _listed(_: object, results: Results) -> Report:
    record = WorkRecord.read(StoredWork.of(results))
    return listing(record, earlier=earlier_runs(results, record))


handler = reporting(function, _listed)
