"""What docs/comparison.md says of our own figures is what was measured, and every claim about others has its source."""

import json
import re
from math import ceil
from pathlib import Path
from statistics import geometric_mean

import pytest

from benchmarks.blog_table.results import Results
from benchmarks.client import MILLISECONDS
from benchmarks.limit.results import read, summaries
from local import figures
from local.report import DEPLOYED, FULL, MILLION, WORKERS
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.listing.estimate.cost import Concurrency, dollars
from tests.house.docs.document import DOCUMENTS, prose, rows

PAGE, README = Path("docs/comparison.md"), Path("README.md")
SCALE, MARKERS = Path("docs/scale.md"), Path("docs/markers.md")
WAYS = {"full scan": "full scan", "a marker index": "marker index", "the blog's sample": "the blog's Limit=1"}
KEPT = Results.load()
MEASURED = {entry.way: entry for entry in KEPT.tables[0]}
SKIPSCAN, SAMPLE, INDEX = MEASURED["Skipscan"], MEASURED["the blog's Limit=1"], MEASURED["marker index"]


def row(heading: str, beginning: str) -> list[str]:
    return next(cells for cells in rows(PAGE, heading) if re.sub(r"[\[*]", "", cells[0]).startswith(beginning))


@pytest.mark.parametrize(("named", "way"), [*WAYS.items(), ("Skipscan", "Skipscan")])
def test_the_blogs_table_is_as_measured(named: str, way: str) -> None:
    cells, measured = row("## At a glance", named), MEASURED[way]
    dollars = measured.bill.total
    assert cells[1].startswith(f"{ceil(measured.read_units):,}")
    assert cells[2].split()[0] in (f"{dollars:.2f}", f"{dollars:.3f}", f"{measured.bill.units:.2f}")


def test_the_other_bills_of_the_blogs_table_follow_from_it() -> None:
    whole = MEASURED["full scan"].bill.units
    exported = US_EAST_1.exported_gb.of(1000)
    assert row("## At a glance", "Athena, Glue, EMR")[2].split()[0] == f"{whole:.2f}"
    assert row("## At a glance", "export to S3")[2].split()[0] == f"{exported:.0f}"
    assert round(exported / whole, 1) == 6.5
    assert "about $0.10 a GB, six times a full scan on demand" in _text(PAGE)
    assert f"Measured by [`benchmarks/blog_table`](scale.md#the-blogs-table), on {KEPT.measured}." in _text(PAGE)


def test_what_the_sample_and_skipscan_take_for_the_blogs_table_is_as_measured() -> None:
    minutes = [60 * way.hours + way.plan_seconds / 60 for way in (SAMPLE, SKIPSCAN)]
    assert row("### The blog's sample", "the blog's table")[1:] == [
        f"{minutes[0]:.1f} minutes, {SAMPLE.requests:,} requests",
        f"{minutes[1]:.1f} minutes, {SKIPSCAN.requests:,} requests, {SKIPSCAN.workers} workers",
    ]
    more = f"{SKIPSCAN.read_units / SAMPLE.read_units - 1:.1%}".replace("%", " %")
    assert f"Skipscan took {more} more on the blog's table" in _text(PAGE)
    assert f"Skipscan takes {more} more" in _text(SCALE)


def test_what_markers_cost_and_save_follows_from_it() -> None:
    once = US_EAST_1.write_units.of(2 * INDEX.collections)
    listings = ceil(once / (SKIPSCAN.bill.total - INDEX.bill.total))
    said = f"cost ${once:.2f} once (a write unit in table and index each), which {listings} listings save"
    assert said in _text(PAGE)
    assert f"lists two million keys for {INDEX.read_units:,.0f} read units instead of a million" in _text(README)
    assert f"take [{INDEX.read_units:,.0f} read units](scale.md#the-blogs-table), a skip scan a million" in _text(
        MARKERS
    )


def test_the_demos_dollars_follow_from_its_figures() -> None:
    ways, keys = figures.read(PAGE.read_text()), 400
    (requests, units), (_, whole) = ways[DEPLOYED], ways[FULL]
    bill = dollars(units, requests, Concurrency.of(1, None, None), US_EAST_1).total
    more = MILLION / keys
    of_a_million = dollars(units * more, requests * more, Concurrency.of(WORKERS, None, None), US_EAST_1).total
    assert (
        f"by a plan's rule ${bill:.5f} in all, which for {keys} keys is more than the reads of a full scan "
        f"(${US_EAST_1.read_units.of(whole):.5f}). For a million such customers, the whole bill is about "
        f"${of_a_million:.2f}, and the read units of a full scan cost ${US_EAST_1.read_units.of(whole * more):.2f}."
    ) in _text(PAGE)


def _text(page: Path) -> str:
    """Return the text of a page on one line."""
    return " ".join(page.read_text().split())


def test_the_samples_ratios_are_as_measured() -> None:
    wall = json.loads(Path("benchmarks/client/results.json").read_text())["wall"]
    said = re.findall(r"[\d.]+", row("### The blog's sample", "wall clock")[1])
    assert said == [str(wall["long"]["ratio"]), str(wall["skewed"]["ratio"]), f"{wall['short']['ratio']:.0f}"]
    shapes = json.loads(Path("benchmarks/limit/results.json").read_text())
    measured = [one for one in shapes if one["collections"] == 2_000 and one["group"] == "28"]
    assert len(measured) == 3 * 28
    means = [geometric_mean(one["blog"][part] / one["ours"][part] for one in measured) for part in (0, 1)]
    assert re.findall(r"[\d.]+", row("### The blog's sample", "28 shapes")[1]) == [f"{means[0]:.2f}", f"{means[1]:.1f}"]


def test_what_is_said_of_the_limit_is_as_measured() -> None:
    said = row("### The blog's sample", "above the best fixed Limit")[2]
    by_size = summaries(read(Path("benchmarks/limit/results.json"))).values()
    names = [f"named: ours / best fixed, {figure}" for figure in ("geometric mean", "worst")]
    assert re.findall(r"[\d.]+\d", said) == [f"{each[name]:.2f}" for name in names for each in by_size]


def test_the_time_from_afar_is_as_measured() -> None:
    far = json.loads(Path("benchmarks/client/results.json").read_text())["far"]
    serial = far["keys"] * MILLISECONDS / 1000
    beginning = f"`skipscan keys`, {far['keys']:,} long collections {MILLISECONDS:.0f}"
    sample, ours = row("### The blog's sample", beginning)[1:]
    assert (sample.split(" s:")[0], ours) == (f"at least {serial:.0f}", f"{far['seconds']:.1f} s")
    assert f"and {far['cpu_seconds']:.1f} of them are processor time" in prose(PAGE)


def test_where_a_parallel_scan_is_faster_is_as_measured() -> None:
    measured = json.loads(Path("benchmarks/client/results.json").read_text())["parallel"]
    assert measured["seconds"] > measured["parallel_seconds"]
    said = " ".join(PAGE.read_text().partition("Measured with ")[2].partition("\n- ")[0].split())
    assert said == (
        f"{measured['keys']:,} keys of 20 to 100 items of 100 bytes, 5 ms away: a parallel scan with boto3 and 16 "
        f"threads takes {measured['parallel_seconds']:.2f} s, {measured['parallel_requests']} requests and "
        f"{measured['parallel_read_units']:,.1f} read units; one worker of Skipscan takes {measured['seconds']:.2f} s, "
        f"{measured['requests']:,} requests and {measured['read_units']:,.1f} read units."
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_link_by_name_has_its_address(document: Path) -> None:
    text = prose(document)
    used = set(re.findall(r"\]\[([\w-]+)\]", text))
    assert used == set(re.findall(r"^\[([\w-]+)\]: https://", text, re.MULTILINE))
