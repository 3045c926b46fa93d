"""A card: a heading that names it, its summary, its pictures, its notes, and the figures as a folded table."""

from typing import Any

import pytest

from skipscan.pace.bill import Services
from skipscan.report.batch_record import batch_record
from skipscan.report.card import Child, Markup, tag, text
from skipscan.scan.progress import ScanCounts
from tests.unit.report.elements import faults


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        (tag("p", class_="unheard-of"), "has no style"),
        (tag("section", tag("h2", "A", id="a"), aria_labelledby="b"), "without its heading"),
        (tag("div", class_="scroll", role="region"), "cannot be scrolled"),
        (tag("svg", tag("line", x1="0", x2="1", y1="0", class_="mark"), width="1", height=1, aria_hidden="true"), "y2"),
        (
            tag("svg", tag("rect", y=9, height=2, width=1, class_="mark"), width="1", height=10, aria_hidden="true"),
            "outside",
        ),
        (tag("svg", width="1", height=1, role="img"), "without words"),
        (tag("table", tag("tr", tag("th", "a"))), "without scope"),
        (
            tag(
                "table",
                tag("tr", tag("th", scope="col"), tag("th", scope="col")),
                tag("tr", tag("th", scope="row"), tag("td", class_="figure")),
            ),
            "below",
        ),
    ],
)
def test_the_check_of_pages_has_teeth(markup: str, fault: str) -> None:
    [found] = faults(f"<style>.scroll, .mark, .figure {{}}</style>{markup}")
    assert fault in found


@pytest.mark.parametrize(
    ("value", "escaped"),
    [
        ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#x27;"),
        ("a\x00\ud800\ufffeb", "a\ufffd\ufffd\ufffdb"),
        ("a\x85\u202eb\u2066\u200f\u061c\ufeff", "a\ufffd\ufffdb" + 4 * "\ufffd"),
        ("\xad\u180e\u3164\uffa0\ufff9\U000e0041", 6 * "\ufffd"),
        *(
            (name, name)
            for name in (
                "\u06af\u0644\u200c\u0647",
                "\U0001f469\u200d\U0001f4bb",
                "\u2764\ufe0f",
                "\u845b\U000e0100",
                "\u05e9\u05dd",
            )
        ),
        ("two\nlines\t", "two\nlines\t"),
        (Markup("<b>"), "<b>"),
        (None, ""),
        (1.5, "1.5"),
        (2.0, "2"),
        (0.126, "0.13"),
        (100, "100"),
    ],
)
def test_a_value_is_text_unless_it_is_markup(value: Child, escaped: str) -> None:
    assert text(value) == escaped


# A checkpoint with a batch's profile, as the report reads it.


PROFILE: dict[str, Any] = {
    "began": "2026-11-02T05:00:00+02:00",
    "seconds": 3.0,
    "slot_seconds": 2.0,
    "slots": [[5, 1, 0.5, 0], [9, 3, 2.0, 1]],
    "visits": [[7, 4, 2, 1.5, 0.25, 1.0, True], [8, 5, 1, 0.5, 1.0, 3.0, False]],
    "other_visits": [2, 6, 4, 2.5],
    "lengths": {"whole": {"1": 3, "12": 1}, "cut": {"20": 2}},
}
CHECKPOINT: dict[str, Any] = {
    "worker": 3,
    "batch": 2,
    "counts": vars(ScanCounts(keys=9, requests=3)),
    "spending": {"services": Services(invocations=1, s3_puts=2).to_json()},
}


def test_a_checkpoint_without_a_profile_of_its_batch_gives_no_record() -> None:
    assert batch_record("keys", ScanCounts, CHECKPOINT) is None
    assert batch_record("keys", ScanCounts, {**CHECKPOINT, "profile": {"began": PROFILE["began"]}}) is None
