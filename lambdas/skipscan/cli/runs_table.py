"""The table of runs and jobs on a terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from skipscan.cli.plan_table import profile_figures
from skipscan.environment.status import Status
from skipscan.inputs.quantities import stamp
from skipscan.loop.work import FORM, form_of
from skipscan.stored.figures import line
from skipscan.stored.stored_work import started_in


@dataclass(frozen=True)
class Listed:
    """The table of runs and jobs, one line each. On a terminal, a line leads to the work's report.

    A narrow terminal leaves out the last of the figures, then the start; `skipscan status` has them all. `reasons`: why
    work failed, by the identity of its status in memory. What does not fit into the line stands whole below it: a name,
    which people copy, a reason, and the outcomes of a job.
    """

    found: Sequence[Status]
    reasons: Mapping[int, str] = field(default_factory=dict)
    has_table: bool = False

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        heads = ["kind", *(["table"] if self.has_table else []), "name", "state", "started, UTC"]
        rows = [self._cells(status) for status in self.found]
        figures = [_figures(status) for status in self.found]
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        # A table, a name. Alone, the longest name that Skipscan gives has room in 80 columns.
        widths[1:-2] = (min(width, options.max_width // (len(heads) - 2)) for width in widths[1:-2])
        # When work started is why one looks; without room for the count, a name that begins with the time must do.
        if options.max_width - sum(widths) - len(GAP) * len(widths) < max(map(_least, figures), default=0):
            heads, rows, widths = heads[:-1], [cells[:-1] for cells in rows], widths[:-1]
        left = options.max_width - sum(widths) - len(GAP) * len(widths)
        yield _line([*heads, "figures"], [*widths, left], Style(bold=True))
        for status, cells, (total, *others) in zip(self.found, rows, figures, strict=True):
            reason, count = self.reasons.get(id(status), ""), total
            if len(total) > left:  # of a job, with its outcomes
                reason, count = BETWEEN.join(filter(None, [reason, total])), total.split(" (")[0]
            whole = BETWEEN.join(filter(None, [reason, count, *others]))
            is_below = bool(reason) and len(whole) > left
            shown = _fitting([count, *others], left) if is_below or not reason else whole
            yield _line([*cells, shown], [*widths, left], Style(link=status.page))
            below = [cell for cell, width in zip(cells, widths, strict=True) if len(cell) > width]
            for text in [*below, reason] if is_below else below:
                yield Padding(Text(text), (0, 0, 0, widths[0] + len(GAP)))

    def _cells(self, status: Status) -> list[str]:
        start = started_at(status)
        started = "" if start is None else stamp(start.isoformat())[:MINUTE]
        table = [status.table] if self.has_table else []
        return [status.kind.label, *table, status.name, _state(status), started]


def _line(cells: Sequence[str], widths: Sequence[int], style: Style) -> Text:
    line = Text(no_wrap=True, overflow="crop")
    for cell, width in zip(cells, widths, strict=True):
        text = Text(cell, style=style)
        text.truncate(max(width, 0), overflow="ellipsis", pad=True)
        line.append_text(text).append(GAP)
    line.rstrip()
    return line


def _least(figures: Sequence[str]) -> int:
    """Return the minimum width of the figures: of the most important one."""
    return min(len(figures[0]), LEAST_OF_FIGURES)


def _fitting(figures: Sequence[str], width: int) -> str:
    """Return the figures that fit, without the last ones; the first one always stays."""
    shown = list(figures)
    while len(shown) > 1 and len(BETWEEN.join(shown)) > width:
        shown.pop()
    return BETWEEN.join(shown)


BETWEEN = ", "
LEAST_OF_FIGURES = 30
GAP = "  "
MINUTE = len("2026-01-31 03:00")


def _state(status: Status) -> str:
    return f"{status.state}, dry run" if status.is_dry_run and not status.profile else f"{status.state}"


def started_at(status: Status) -> datetime | None:
    """Return when the work started; `None` if another version wrote its plan without it."""
    if status.unreadable is not None:
        return started_in(status.unreadable)
    if status.moment:
        return status.moment.started
    return status.execution.started if status.execution else status.at


def _figures(status: Status) -> Sequence[str]:
    """Return results, cost and duration of the work, the most important figures first."""
    if status.unreadable is not None:
        form = form_of(status.unreadable) or "unknown"
        return [f"another version of Skipscan wrote it{'' if form == FORM else f': form {form}, not {FORM}'}"]
    if status.profile:
        return line([*profile_figures(status.profile)], "count", "bill", "units")
    if status.has_failed:
        return line(status.figures(), "count", "bill") or [""]
    if status.is_dry_run:
        return [""]
    return line(status.figures(), "count", "bill", "failed", "units", "time" if status.manifest else "now") or [""]
