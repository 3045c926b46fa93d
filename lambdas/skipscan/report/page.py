"""A report or a profile as HTML: one page that needs nothing else, runs no script, and asks no network."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any

from skipscan.inputs.quantities import counted, rounded, size
from skipscan.report.card import Markup, card_table, tag
from skipscan.stored.figures import Figure

SHOWN_FILES = 200


def html_page(
    what: str,
    subject: str,
    *,
    title: str,
    header: Iterable[Markup | None],
    answer: Markup,
    pictures: Iterable[Markup | None],
    made: str,
    bill: Markup | None = None,
    facts: Markup | None = None,
) -> str:
    """Return a whole page, with the style sheet and a policy that allows nothing else. `what`: "report" or "profile".

    Every text may come from a user or from S3: `tag` has escaped all of them. `made`: when, and from what.
    """
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
        tag("title", f"{title}: Skipscan {what}"),
        tag("style", style),
    )
    body = tag(
        "body",
        tag("a", "Skip to the pictures", class_="skip", href="#pictures"),
        tag("header", tag("p", f"Skipscan {what}", class_="eyebrow"), tag("h1", subject), header),
        tag("main", answer, bill, tag("div", pictures, id="pictures", class_="pictures", tabindex="-1"), facts),
        tag("footer", tag("p", made)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


@cache
def _style() -> Markup:
    """Return the style sheet, which holds nothing that HTML could take for a tag."""
    return Markup(resources.files("skipscan.report").joinpath("page.css").read_text(encoding="utf-8"))


def _policy(style: str) -> str:
    """Return the content security policy: this style sheet and the empty icon, nothing else."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"


def answer_section(
    answer: str, figures: Iterable[Figure], notices: Iterable[str], saving: Markup | None = None
) -> Markup:
    """Return what a page answers, and the figures at its top.

    `notices`: what a reader must know before all else, such as a missing part.
    """
    return tag(
        "section",
        saving,
        tag("h2", answer, id="answer", class_="answer"),
        tag("dl", map(_headline, figures), class_="figures"),
        (tag("p", notice, class_="notice") for notice in notices),
        aria_labelledby="answer",
    )


def _headline(one: Figure) -> Markup:
    value, detail = tag("span", one.words, class_="value"), tag("span", one.note, class_="detail")
    return tag("div", tag("dt", one.heading), tag("dd", value, detail))


def facts_of(figures: Iterable[Figure], more: Markup | None) -> Markup:
    """Return the figures below the pictures."""
    rows = (
        tag("div", tag("dt", one.title), tag("dd", f"{one.words}, {one.note}" if one.note else one.words))
        for one in figures
    )
    return tag(
        "section",
        tag("h2", "Facts", id="facts"),
        tag("dl", rows, class_="facts"),
        more,
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
    table = card_table(caption, ("part", label, "size", "SHA-256"), rows, (3,))
    return tag("details", tag("summary", "Parts and their checksums"), table)
