"""What docs/comparison.md says of our own figures is what was measured, and every claim about others has its source."""

import json
import re
from math import ceil
from pathlib import Path
from statistics import geometric_mean

import pytest

from benchmarks.blog_table.results import Results
from benchmarks.client.far import MILLISECONDS
from benchmarks.limit.results import read, summaries
from tests.house.docs.document import DOCUMENTS, prose, rows

PAGE = Path("docs/comparison.md")
WAYS = {"full scan": "full scan", "a marker index": "marker index", "the blog's sample": "the blog's Limit=1"}
MEASURED = {entry.way: entry for entry in Results.load().tables[0]}


def row(heading: str, beginning: str) -> list[str]:
    return next(cells for cells in rows(PAGE, heading) if re.sub(r"[\[*]", "", cells[0]).startswith(beginning))


@pytest.mark.parametrize(("named", "way"), [*WAYS.items(), ("Skipscan", "Skipscan")])
def test_the_blogs_table_is_as_measured(named: str, way: str) -> None:
    cells, measured = row("## At a glance", named), MEASURED[way]
    dollars = measured.bill.total
    assert cells[1].startswith(f"{ceil(measured.read_units):,}")
    assert cells[2].split()[0] in (f"{dollars:.2f}", f"{dollars:.3f}", f"{measured.bill.units:.2f}")


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
