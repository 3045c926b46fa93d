"""Report copy: draw the page of a finished copy. An error here does not fail the execution."""

from skipscan.aws.function import Function
from skipscan.copy.kind import COPY
from skipscan.report.aws.reporting import reporting

function = Function.of(COPY)
handler = reporting(function)
