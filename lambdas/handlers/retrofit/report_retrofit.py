"""Report retrofit: draw the page of a finished retrofit. An error here does not fail the execution."""

from skipscan.aws.function import Function
from skipscan.report.aws.reporting import reporting
from skipscan.retrofit.kind import RETROFIT

function = Function.of(RETROFIT)
handler = reporting(function)
