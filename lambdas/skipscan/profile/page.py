"""The profile as HTML, drawn by the report's means: one page that needs nothing else and runs no script."""

from collections.abc import Iterator

from skipscan import __version__
from skipscan.inputs.quantities import counted, money, rounded, stamp
from skipscan.profile.costs import provisioned
from skipscan.profile.figures import ITEMS
from skipscan.profile.profiling import TableProfile
from skipscan.profile.table_map import table_map
from skipscan.report.card import Markup, card, tag
from skipscan.report.page import answer_section, html_page

TOP = ("items", "collections", "money", "reading")
CARDS = ("collections", "items", "attributes", "money", "time_to_live", "skew", "entity_types", "indexes")
"""The sections in the order of the page: those with figures at its top, and those with cards."""


def profile_page(profile: TableProfile) -> str:
    """Return the page. All names of the table are escaped."""
    of, read = profile.of, profile.figures.read
    state = f"{rounded(read.ended)} of {counted(read.segments, 'segment')} read"
    if read.is_whole:
        state = "read whole, all figures but percentiles are exact"
    if not read.requests:
        state = "described, not read"
    top = () if profile.is_empty else (one for name in TOP for one in profile.sections[name].top)
    return html_page(
        "profile",
        of.table,
        title=of.table,
        header=(
            tag("p", f"{of.region}, ", tag("b", stamp(of.made)), class_="run"),
            tag("p", state, class_="state complete" if read.is_whole else "state"),
        ),
        answer=answer_section(_answer(profile), top, _notices(profile)),
        pictures=_cards(profile),
        made=f"Made {stamp(of.made)} by Skipscan {__version__}. This page has names of attributes and common "
        "prefixes of sort keys, no values and no scripts, and makes no network requests.",
    )


def _answer(profile: TableProfile) -> str:
    of, figures = profile.of, profile.figures
    if profile.is_empty:
        capacity = provisioned(of)
        costs = "" if capacity is None else f" Its provisioned capacity costs {money(capacity)} a month."
        return f"{of.table} is empty.{costs}"
    if profile.advice:
        return profile.advice[0][1]
    if not figures.has_items:
        return f"{of.table} has {rounded(figures.described_items)} items, by DescribeTable."
    keys = f" in {rounded(figures.keys.estimate)} item collections" if of.description else ""
    return f"{of.table} has {rounded(figures.total(ITEMS).estimate)} items{keys}."


def _notices(profile: TableProfile) -> Iterator[str]:
    figures = profile.figures
    if figures.read.is_cut:
        yield (
            "Reading stopped within a segment that is larger than all others: no total has an upper bound, and shares "
            "of items and bytes are not known. Read more with --max-dollars."
        )
    if figures.has_items and not figures.read.is_whole and not figures.described_items:
        yield (
            "DescribeTable has not counted this table yet. Without its counts a sample cannot know whether it missed "
            "large item collections, so shares of items and bytes have no interval."
        )
    yield from (f"Left out: {reason}." for reason in profile.of.missing)


def _cards(profile: TableProfile) -> Iterator[Markup | None]:
    if len(profile.advice) > 1:
        rest = tag("ol", (tag("li", words) for _, words in profile.advice), class_="advice")
        yield card("advice", "Advice", "The most urgent first.", rest, is_broad=True)
    if not profile.is_empty:
        types, attributes = (profile.sections[name].figures for name in ("entity_types", "attributes"))
        yield table_map(profile.of.table, types, attributes)
        yield from (profile.sections[name].card for name in CARDS)
