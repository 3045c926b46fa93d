"""Every page as a browser shows it: in light and dark, in small windows and large, by keyboard and by ear."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from skipscan.report.listing import listing
from tests.engines.browser.browser import CHROMIUM, Tab, browser
from tests.house.suite.skips import NO_BROWSER
from tests.unit.report.made_up_run import read_run
from tests.unit.report.test_snapshots import job_page, page_of_a_profile
from tests.unit.report.test_work import JOBS

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason=NO_BROWSER),
    pytest.mark.xdist_group("chromium"),
]
WINDOWS = [(width, dark) for width in (390, 1400) for dark in (False, True)]
ERRORS = {"Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"}

# The contrast of every text with its background, by WCAG 2's formula; SVG text has its colour as fill.
FAINT = """
(() => {
  const rgb = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = rgb(getComputedStyle(element).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!text || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const colour = rgb(element.closest("svg") ? style.fill : style.color);
    const [high, low] = [light(colour), light(behind(element))].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) faint.push([element.textContent.trim().slice(0, 40), contrast]);
  }
  return faint;
})()
"""
# Whatever reaches out of its card.
OUTSIDE = """
[...document.querySelectorAll(".card")].flatMap(card => {
  const edge = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
  return [...card.querySelectorAll("*")].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.right > edge + 1 && !element.closest(".scroll, .picture");
  }).map(element => element.outerHTML.slice(0, 80));
})
"""
# Labels of the same picture, one upon the other.
OVERLAPPING = """
[...document.querySelectorAll(".plot")].flatMap(plot => {
  const boxes = [...plot.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([, b]) =>
    a.left < b.right && b.left < a.right && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2
  ).map(([other]) => `${one} / ${other}`));
})
"""
# Whatever reaches over the window's edge, but for what scrolls within its own frame.
TOO_WIDE = """
[...document.querySelectorAll("body *")].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && box.right > innerWidth + 0.5 && !element.closest(".scroll");
}).map(element => element.outerHTML.slice(0, 80))
"""
# Tables of which a phone shows a part only.
SIDEWAYS = """
[...document.querySelectorAll(".scroll")].filter(frame => innerWidth < 500 && frame.scrollWidth > frame.clientWidth)
  .map(frame => frame.textContent.slice(0, 40))
"""
CLIPPED = """
[...document.querySelectorAll(".picture")].flatMap(picture => {
  const frame = picture.getBoundingClientRect();
  return [...picture.querySelectorAll("text")].filter(text => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < frame.left || box.right > frame.right + 1 || box.bottom > frame.bottom + 1);
  }).map(text => text.textContent);
})
"""
SMALL = """
[...document.querySelectorAll(".picture text")].filter(text => text.getClientRects().length)
  .map(text => text.getBoundingClientRect().height).filter(height => height < 9).length
"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory, throttled: Path, stopped: Path, crowded: Path) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    made = {}
    before = {"run": "monday", "started": "2026-01-31T03:00:07.112+00:00", "keys": 1_234_567}
    before |= {"read_units": 617_284.5, "dollars": {"total": 0.1234}, "seconds": 4_210.0}
    for name, run in (("throttled", throttled), ("stopped", stopped)):
        made[name] = folder / f"{name}.html"
        made[name].write_text(listing(read_run(run), earlier=[before]), encoding="utf-8")
    made["crowded"] = folder / "crowded.html"
    made["crowded"].write_text(listing(read_run(crowded, most_checkpoints=100)), encoding="utf-8")
    others = {**{kind: job_page(kind) for kind in JOBS}, "profile": page_of_a_profile()}
    for name, text in others.items():
        made[name] = folder / f"{name}.html"
        made[name].write_text(text, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    assert CHROMIUM
    with browser(CHROMIUM) as shown:
        yield shown


LONG = [pytest.param(name, marks=pytest.mark.long) for name in ("crowded", *JOBS, "profile")]


@pytest.mark.parametrize("report", ["throttled", "stopped", *LONG])
@pytest.mark.parametrize(
    ("width", "dark"), [WINDOWS[0], *(pytest.param(*window, marks=pytest.mark.long) for window in WINDOWS[1:])]
)
def test_it_fits_reads_well_and_is_quiet(
    tab: Tab, reports: dict[str, Path], *, report: str, width: int, dark: bool
) -> None:
    tab.show(reports[report], width=width, dark=dark)
    assert tab.value("matchMedia('(prefers-color-scheme: dark)').matches") is dark
    tab.value("document.querySelectorAll('details').forEach(details => details.open = true)")
    assert tab.value("document.documentElement.scrollWidth") == width
    assert tab.value(TOO_WIDE) == []
    assert tab.value(SIDEWAYS) == []
    assert tab.value(OUTSIDE) == []
    assert tab.value(CLIPPED) == []
    assert tab.value(OVERLAPPING) == []
    assert tab.value(SMALL) == 0
    assert tab.value(FAINT) == []
    assert [event for event in tab.events if event.get("method") in ERRORS] == []
    asked = [e["params"]["request"]["url"] for e in tab.events if e.get("method") == "Network.requestWillBeSent"]
    assert asked == [reports[report].resolve().as_uri()]


def test_every_picture_takes_the_width_there_is(tab: Tab, reports: dict[str, Path]) -> None:
    missing = """
    [...document.querySelectorAll(".plot, .strip .track, .ways .track")].filter(drawn => {
      const [own, frame] = [drawn, drawn.parentElement].map(e => e.getBoundingClientRect());
      return own.width < 60 || own.height < 10 || Math.abs(own.right - frame.right) > 20;
    }).map(drawn => drawn.outerHTML.slice(0, 120))
    """
    for width, _ in WINDOWS[::2]:
        tab.show(reports["throttled"], width=width, dark=False)
        assert tab.value("document.querySelectorAll('.plot').length") == 5
        assert tab.value(missing) == []


def test_the_policy_stops_styles_and_scripts_that_are_not_the_pages_own(
    tab: Tab, reports: dict[str, Path], tmp_path: Path
) -> None:
    harmed = tmp_path / "harmed.html"
    planted = (
        '<script>document.title="harmed"</script><style>h1{color:red}</style><p style="color:red" id="planted">x</p>'
    )
    harmed.write_text(reports["stopped"].read_text(encoding="utf-8").replace("</main>", f"{planted}</main>"), "utf-8")
    tab.show(harmed, width=1400, dark=False)
    assert tab.value("document.title").startswith("Orders")
    red = "getComputedStyle(document.querySelector('%s')).color === 'rgb(255, 0, 0)'"
    assert tab.value(red % "h1") is False
    assert tab.value(red % "#planted") is False
    assert tab.value("getComputedStyle(document.querySelector('.card')).borderRadius") == "10px"


def test_the_keyboard_reaches_and_opens_everything(tab: Tab, reports: dict[str, Path]) -> None:
    tab.show(reports["throttled"], width=1400, dark=False)
    tab.press("Tab", 9)
    assert tab.value("document.activeElement.className") == "skip"
    assert tab.value("document.activeElement.getBoundingClientRect().top") >= 0
    reached = []
    for _ in range(30):
        tab.press("Tab", 9)
        reached.append(tab.value("document.activeElement.tagName"))
        if reached[-1] == "SUMMARY":
            outline = "(style => [style.outlineStyle, style.outlineWidth])(getComputedStyle(document.activeElement))"
            assert tab.value(outline) == ["solid", "2px"]
        if reached[-1] == "BODY":
            break
    assert reached.count("SUMMARY") == tab.value("document.querySelectorAll('summary').length") == 7
    tab.value("document.querySelector('summary').focus()")
    tab.press("Enter", 13, "\r")
    assert tab.value("document.querySelector('details').open") is True


def test_a_screen_reader_gets_landmarks_headings_pictures_and_tables(tab: Tab, reports: dict[str, Path]) -> None:
    tab.show(reports["throttled"], width=400, dark=True)
    heard: list[dict[str, Any]] = tab.ask("Accessibility.getFullAXTree")["nodes"]

    def named(role: str) -> list[str]:
        return [node["name"]["value"] for node in heard if not node["ignored"] and node["role"]["value"] == role]

    assert len(named("main")) == len(named("banner")) == len(named("contentinfo")) == 1
    levels = tab.value("[...document.querySelectorAll('h1, h2, h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    pictures = named("image") + named("img")
    assert len(pictures) == 5
    assert all(len(name) > 20 for name in pictures)
    assert "Read units, requests and dollars of each way" in named("table")
    assert {"When each worker was at work", "Estimate and actual"} <= set(named("table"))
    assert tab.value("document.documentElement.lang") == "en"
    assert "Orders" in tab.value("document.title")
