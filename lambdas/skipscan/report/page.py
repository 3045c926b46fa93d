"""The report as HTML: one page that needs nothing else, runs no script, and asks no network."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files

from skipscan import __version__
from skipscan.inputs.quantities import money, multiple, rounded, size, stamp, units
from skipscan.report import svg
from skipscan.report.card import CardTable, Markup, joined, tag
from skipscan.report.over_time import estimates, progress, throttling_card
from skipscan.report.report import BillRow, BillTable, Files, Headline, Report, Saving
from skipscan.report.spread import lengths, segments, trend, workers_card
from skipscan.sample.interval import Interval

TIMES = "\N{MULTIPLICATION SIGN}"


def html_page(report: Report, now: datetime) -> str:
    """Return the page. All texts of the record are escaped."""
    return html_document(
        f"{report.subject}, {report.name}: Skipscan report",
        tag("a", "Skip to the pictures", class_="skip", href="#pictures"),
        _header(report),
        tag("main", _sections(report)),
        page_footer(
            f"Made {stamp(now.astimezone(UTC).isoformat())} by Skipscan {__version__} from the results of the "
            f"{report.noun}. This page contains no key values and no scripts, and makes no network requests."
        ),
    )


def html_document(title: str, *body: Markup) -> str:
    """Return a whole document, with the style sheet and a policy that allows nothing else."""
    style = _style()
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="robots", content="noindex"),
        tag("link", rel="icon", href="data:,"),
        tag("title", title),
        tag("style", style),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', *body), lang='en')}\n"


def page_footer(words: str) -> Markup:
    """Return the last line of a page."""
    return tag("footer", tag("p", words))


@cache
def _style() -> Markup:
    """Return the style sheet, which holds nothing that HTML could take for a tag."""
    return Markup(files("skipscan.report").joinpath("page.css").read_text(encoding="utf-8"))


def _policy(style: str) -> str:
    """Return the content security policy: this style sheet and the empty icon, nothing else."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"


def _header(report: Report) -> Markup:
    state = "complete" if report.is_complete else "unfinished"
    return tag(
        "header",
        tag("p", "Skipscan report", class_="eyebrow"),
        tag("h1", report.subject),
        tag("p", f"{report.noun.capitalize()} ", tag("b", report.name), class_="run"),
        tag("p", report.status, class_=f"state {state}"),
        tag("nav", map(_link, report.links), aria_label="Elsewhere") if report.links else None,
    )


def _link(link: tuple[str, str]) -> Markup:
    name, address = link
    return tag("a", name, href=address, rel="noreferrer")


def _sections(report: Report) -> Iterator[Markup]:
    yield tag(
        "section",
        _saving(report.saving) if report.saving else None,
        tag("h2", report.answer, id="answer", class_="answer"),
        headline_row(report.headlines),
        (tag("p", notice, class_="notice") for notice in report.notices),
        aria_labelledby="answer",
    )
    if report.bill:
        yield _bill(report.bill)
    yield tag("div", cards(report), id="pictures", class_="pictures", tabindex="-1")
    yield _facts(report)


def headline_row(headlines: Iterable[Headline]) -> Markup:
    """Return the figures at the top of a page."""
    return tag("dl", map(_headline, headlines), class_="figures")


def _saving(of: Saving) -> Markup:
    rows = (
        tag("div", tag("dt", name), tag("dd", tag("b", money(ours, other)), f" instead of {money(other, ours)}"))
        for name, ours, other in of.dollars
    )
    return tag(
        "div",
        tag("p", tag("b", f"{multiple(of.factor)} {TIMES}"), f" fewer {of.unit} than {of.other}, {of.basis}"),
        tag("dl", rows),
        class_="saving",
    )


def _headline(headline: Headline) -> Markup:
    value, detail = tag("span", headline.value, class_="value"), tag("span", headline.detail, class_="detail")
    return tag("div", tag("dt", headline.name), tag("dd", value, detail))


def _bill(bill: BillTable) -> Markup:
    columns = (bill.unit, "requests", "dollars", f"of which {bill.unit}")
    most = max(row.units.estimate for row in bill.rows) or 1.0
    most_dollars = max(row.dollars for row in bill.rows) or 1.0
    # The roles stay what they are where the style sheet turns rows into blocks.
    head = tag(
        "tr",
        tag("th", "way", scope="col"),
        (tag("th", column, scope="col", class_="figure") for column in columns),
        role="row",
    )
    whole_bills = [row.dollars for row in bill.rows]
    of_units = [row.unit_dollars for row in bill.rows if row.unit_dollars is not None]
    rows = (
        _bill_row(
            row,
            columns,
            ((bill.unit, row.units.estimate / most), ("dollars", row.dollars / most_dollars)),
            money(row.dollars, *whole_bills),
            "not billed" if row.unit_dollars is None else money(row.unit_dollars, *of_units),
            is_ours=row is bill.rows[0],
        )
        for row in bill.rows
    )
    table = tag(
        "table",
        tag("caption", f"{bill.unit.capitalize()}, requests and dollars of each way", class_="unseen"),
        tag("thead", head, role="rowgroup"),
        tag("tbody", rows),
        class_="ways",
        role="table",
    )
    each = [dollars for _, dollars, _ in bill.services]
    split = (
        tag("div", tag("dt", name), tag("dd", money(dollars, *each)), tag("dd", basis, class_="basis"))
        for name, dollars, basis in bill.services
    )
    return tag(
        "section",
        tag("h2", "What it cost", id="bill"),
        tag("div", table, class_="scroll", tabindex="0", role="region", aria_labelledby="bill"),
        tag("h3", f"What the {money(bill.rows[0].dollars)} pays for") if bill.services else None,
        tag("dl", split, class_="split") if bill.services else None,
        (tag("p", note, class_="note") for note in bill.notes),
        class_="card",
        aria_labelledby="bill",
    )


def _bill_row(
    row: BillRow,
    columns: tuple[str, ...],
    parts: Sequence[tuple[str, float]],
    whole_bill: str,
    of_units: str,
    *,
    is_ours: bool,
) -> Markup:
    colour = "keys" if is_ours else "other"
    within = _ends(row.units)
    cells = (
        joined(units(round(row.units.estimate, 1)), tag("span", within, class_="ends") if within else None),
        rounded(row.requests.estimate),
        whole_bill,
        of_units,
    )
    return tag(
        "tr",
        tag(
            "th",
            tag("span", row.name, class_="name"),
            (tag("span", tag("span", name), svg.bar(part, colour), class_="bar") for name, part in parts),
            tag("span", row.basis, class_="basis"),
            scope="row",
            role="rowheader",
        ),
        (
            tag("td", cell, class_="figure", role="cell", data_label=column)
            for cell, column in zip(cells, columns, strict=True)
        ),
        role="row",
        class_="ours" if is_ours else None,
    )


def _ends(interval: Interval) -> str:
    """Return the ends of an interval; nothing if it is a point."""
    low, high = round(interval.low, 1), round(interval.high, 1)
    if low == high:
        return ""
    return f"{units(low)} to {units(high)}" if interval.is_bounded else f"{units(low)} or more"


def _facts(report: Report) -> Markup:
    rows = (tag("div", tag("dt", name), tag("dd", value)) for name, value in report.facts)
    return tag(
        "section",
        tag("h2", "Facts", id="facts"),
        tag("dl", rows, class_="facts"),
        _files(report.files) if report.files else None,
        class_="card",
        aria_labelledby="facts",
    )


def _files(of: Files) -> Markup:
    more = f" The first {len(of.rows):,} are shown; {of.listed_in} lists all." if of.count > len(of.rows) else ""
    parts = "1 part" if of.count == 1 else f"{of.count:,} parts"
    rows = [[name, rounded(number), size(length), digest] for name, number, length, digest in of.rows]
    table = CardTable(f"{parts}, {size(of.bytes)} in total.{more}", ("part", of.noun, "size", "SHA-256"), rows, (3,))
    return tag("details", tag("summary", "Parts and their checksums"), table.markup())


def cards(report: Report) -> Iterator[Markup]:
    """Return the cards that the record has something for; the first is as wide as the page."""
    if report.progress:
        yield progress(report.progress)
    if report.trend:
        yield trend(report.trend, report.nouns, report.within)
    if report.workers:
        yield workers_card(report.workers)
    if report.segments:
        yield segments(report.segments, report.segments_planned, report.segments_are)
    if report.lengths:
        yield lengths(report.lengths, report.groups, report.within)
    if report.estimates:
        yield estimates(report.estimates)
    if report.throttled and report.progress:
        yield throttling_card(report.throttled, report.progress.timeline)
