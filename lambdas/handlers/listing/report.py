"""Report: draw the page about a finished run. Nothing that goes wrong here fails the execution."""

from skipscan.aws.function import Function
from skipscan.listing.kind import LISTING
from skipscan.report.aws.reporting import reporting
from skipscan.report.folder import StoredWork
from skipscan.report.listing import listing
from skipscan.report.record import WorkRecord

function = Function.of(LISTING)
handler = reporting(function, lambda _, results: listing(WorkRecord.read(StoredWork.of(results))))
