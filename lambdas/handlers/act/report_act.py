"""Report act: draw the page of a finished act. An error here does not fail the execution."""

from skipscan.act.kind import ACT
from skipscan.aws.function import Function
from skipscan.report.aws.reporting import reporting

function = Function.of(ACT)
handler = reporting(function)
