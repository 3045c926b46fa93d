"""Report copy: draw the page of a finished copy. An error here does not fail the execution."""

from skipscan.aws.function import Function
from skipscan.aws.reporting import reporting
from skipscan.copy.kind import COPY

function = Function.of(COPY)
handler = reporting(function)
