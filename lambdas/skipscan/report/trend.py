"""The runs that listed the same keys before: what each found and took, from its manifest."""

from collections.abc import Mapping, Sequence
from typing import Any

from skipscan.inputs.quantities import counted, duration, money, rounded, stamp, units
from skipscan.listing.compare.finished_runs import FinishedRuns
from skipscan.listing.scope import Scope
from skipscan.loop.results import Results
from skipscan.report import svg
from skipscan.report.card import CardTable, Strip, card, strips
from skipscan.report.markup import Markup
from skipscan.report.record import Listed
from skipscan.report.report import ListedRun

MOST_EARLIER = 11
"""Earlier runs that a report shows: a dozen with its own."""


def earlier_runs(results: Results, record: Listed) -> Sequence[ListedRun]:
    """Return the finished runs with the same scope that started before this one, oldest first."""
    scope, started = Scope.of(record.run.plan), record.run.execution.started
    return [_listed(manifest) for manifest in FinishedRuns(results, scope).before(started, MOST_EARLIER)][::-1]


def _listed(manifest: Mapping[str, Any]) -> ListedRun:
    amounts = (float(value) for value in (manifest["read_units"], manifest["dollars"]["total"], manifest["seconds"]))
    return ListedRun(manifest["run"], manifest["started"], manifest["keys"], *amounts)


def trend(runs: Sequence[ListedRun], nouns: str) -> Markup:
    """Return the runs with what each found and took; the last is this run. `nouns`: what they listed."""
    before, this = runs[-2:]
    says = f"{counted(this.keys, nouns.removesuffix('s'))}"
    if change := this.keys - before.keys:
        says += f", {rounded(abs(change))} {'more' if change > 0 else 'fewer'} than in the run before."
    else:
        says += ", as many as in the run before."
    most, dollars = max(run.keys for run in runs) or 1, [run.dollars for run in runs]
    rows = (
        Strip(
            stamp(run.started)[:16],
            svg.track([(0.0, run.keys / most)], "keys" if run is this else "other"),
            (rounded(run.keys), units(run.read_units), money(run.dollars, *dollars), duration(run.seconds)),
        )
        for run in runs
    )
    columns = ("started, UTC", nouns, "", "read units", "dollars", "time")
    named = CardTable(
        "The runs and their names", ("run", nouns), [(run.name, rounded(run.keys)) for run in reversed(runs)]
    )
    return card("trend", "This run and those before", says, strips("Runs", columns, rows), table=named)
