"""The report as HTML: one page that needs nothing else, runs no script, and asks no network."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any

from skipscan import __version__
from skipscan.inputs.quantities import counted, rounded, size, stamp
from skipscan.report.card import CardTable, Markup, tag
from skipscan.stored.figures import Figure, chosen

TOP = ("count", "units", "bill", "time")
"""The groups of figures at the top of the page."""

FACTS = ("work", "request", "when", "progress", "how", "limits", "counts", "proved", "made")
"""The groups of figures below the pictures, in this order."""

SHOWN_FILES = 200


@dataclass(frozen=True)
class Report:
    """A run or job. `label`: of its kind. `subject`: the table, or the two tables, that it worked on.

    `links`: names and addresses. `notices`: what a reader must know before all else, such as a missing part. Every
    text may come from a user or from S3: the page escapes all of them.
    """

    label: str
    name: str
    subject: str
    is_complete: bool
    status: str
    answer: str
    figures: Sequence[Figure]
    bill: Markup
    saving: Markup | None = None
    cards: Sequence[Markup | None] = ()
    files: Markup | None = None
    links: Sequence[tuple[str, str]] = ()
    notices: Sequence[str] = ()


def html_page(report: Report, now: datetime) -> str:
    """Return the page. All texts of the record are escaped."""
    return html_document(
        f"{report.subject}, {report.name}: Skipscan report",
        tag("a", "Skip to the pictures", class_="skip", href="#pictures"),
        _header(report),
        tag("main", _sections(report)),
        page_footer(
            f"Made {stamp(now.astimezone(UTC).isoformat())} by Skipscan {__version__} from the results of the "
            f"{report.label}. This page contains no key values and no scripts, and makes no network requests."
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
    return Markup(resources.files("skipscan.report").joinpath("page.css").read_text(encoding="utf-8"))


def _policy(style: str) -> str:
    """Return the content security policy: this style sheet and the empty icon, nothing else."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"


def _header(report: Report) -> Markup:
    state, requested = "complete" if report.is_complete else "unfinished", chosen(report.figures, "request")
    return tag(
        "header",
        tag("p", "Skipscan report", class_="eyebrow"),
        tag("h1", report.subject),
        tag("p", f"{report.label.capitalize()} ", tag("b", report.name), class_="run"),
        tag("p", ". ".join(f"{one.title}: {one.words}" for one in requested), class_="asked") if requested else None,
        tag("p", report.status, class_=f"state {state}"),
        tag("nav", map(_link, report.links), aria_label="Elsewhere") if report.links else None,
    )


def _link(link: tuple[str, str]) -> Markup:
    name, address = link
    return tag("a", name, href=address, rel="noreferrer")


def _sections(report: Report) -> Iterator[Markup]:
    yield tag(
        "section",
        report.saving,
        tag("h2", report.answer, id="answer", class_="answer"),
        headline_row(chosen(report.figures, *TOP)),
        (tag("p", notice, class_="notice") for notice in report.notices),
        aria_labelledby="answer",
    )
    yield report.bill
    yield tag("div", report.cards, id="pictures", class_="pictures", tabindex="-1")
    yield _facts(report)


def headline_row(found: Iterable[Figure]) -> Markup:
    """Return the figures at the top of a page."""
    return tag("dl", map(_headline, found), class_="figures")


def _headline(one: Figure) -> Markup:
    value, detail = tag("span", one.words, class_="value"), tag("span", one.note, class_="detail")
    return tag("div", tag("dt", one.heading), tag("dd", value, detail))


def _facts(report: Report) -> Markup:
    rows = (
        tag("div", tag("dt", one.title), tag("dd", f"{one.words}, {one.note}" if one.note else one.words))
        for one in chosen(report.figures, *FACTS)
    )
    return tag(
        "section",
        tag("h2", "Facts", id="facts"),
        tag("dl", rows, class_="facts"),
        report.files,
        class_="card",
        aria_labelledby="facts",
    )


def files(label: str, parts: Sequence[Any], listed_in: str) -> Markup | None:
    """Return the parts that a manifest lists; `None` for no parts.

    `label`: what they hold, and their folder, which is left out of their names. `parts`: those to be shown, and then of
    each other its bytes.
    """
    if not parts:
        return None
    shown = parts[:SHOWN_FILES]
    rows = [
        (
            part["name"].partition(f"/{label}/")[2] or part["name"],
            rounded(part["keys"]),
            size(part["bytes"]),
            part["sha256"],
        )
        for part in shown
    ]
    more = f" The first {len(rows):,} are shown; {listed_in} lists all." if len(parts) > len(rows) else ""
    total = sum(part["bytes"] for part in shown) + sum(parts[SHOWN_FILES:])
    caption = f"{counted(len(parts), 'part')}, {size(total)} in total.{more}"
    table = CardTable(caption, ("part", label, "size", "SHA-256"), rows, (3,))
    return tag("details", tag("summary", "Parts and their checksums"), table.markup())
