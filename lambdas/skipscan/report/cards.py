"""The cards of the page, in the order in which they are read."""

from collections.abc import Iterator

from skipscan.report.estimated import estimates
from skipscan.report.markup import Markup
from skipscan.report.over_time import limits, progress, throttling
from skipscan.report.report import Report
from skipscan.report.spread import lengths, segments, workers


def cards(report: Report) -> Iterator[Markup]:
    """Return the cards that the record has something for; the first is as wide as the page."""
    if report.progress:
        yield progress(report.progress)
    if report.workers:
        yield workers(report.workers)
    if report.segments:
        yield segments(report.segments, report.segments_planned)
    if report.lengths and report.lengths.bars:
        yield lengths(report.lengths)
    if report.progress and any(stretch.limits for stretch in report.progress.timeline.stretches):
        yield limits(report.progress.timeline)
    if report.estimates:
        yield estimates(report.estimates)
    if report.throttled and report.progress:
        yield throttling(report.throttled, report.progress.timeline)
