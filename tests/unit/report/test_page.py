"""The content of the page, and what it must never contain."""

import json
import re
import shutil
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

from skipscan.report.listing import listing
from tests.unit.report.elements import parsed
from tests.unit.report.faults import faults
from tests.unit.report.made_up_run import made_up_run, read_run, skewed_table

pytestmark = [pytest.mark.xdist_group("report"), pytest.mark.slow]

PAGE_BYTES = 120_000


def written(folder: Path) -> str:
    return listing(read_run(folder))


@pytest.fixture(scope="module")
def html(throttled: Path) -> str:
    return written(throttled)


@pytest.mark.parametrize("region", ["", "evil.example/", "eu west"])
def test_a_region_that_is_none_gives_no_link(throttled: Path, region: str) -> None:
    record = read_run(throttled)
    arn = f"arn:aws:states:{region}:123456789012:execution:skipscan-dev:run-1"
    moved = replace(record, document={**record.document, "execution": arn})
    assert ["Execution</a>" in listing(one) for one in (record, moved)] == [True, False]


def test_the_page_is_one_small_file_that_asks_for_nothing(html: str) -> None:
    assert len(html.encode()) < PAGE_BYTES
    assert "<script" not in html
    html = re.sub(r'<a href="https://[^"]+" rel="noreferrer">', "<a>", html)  # loaded only by a click
    assert re.findall(r'(?:src|href)="(?!#|data:,)[^"]*"|url\((?!#)|@import|https?://', html) == []


def test_the_policy_allows_this_style_sheet_and_nothing_else(html: str) -> None:
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    [style] = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert unescape(policy) == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert re.findall(r'\sstyle="|\son[a-z]+="', html) == []


def test_a_page_misses_nothing_that_a_reader_needs(html: str) -> None:
    assert faults(html) == []


def test_a_hostile_name_stays_text(throttled: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(throttled, tmp_path / "run")
    hostile = "</title></style><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\ud800\x00"
    for name in ("plan.json", "manifest.json"):
        document = json.loads((folder / name).read_text())
        if name == "plan.json":
            document["name"] = document["execution"] = document["plan"]["source"]["table"] = hostile
        else:
            document["parts"][0]["name"] += hostile
            document["skipscan_version"] = hostile
        (folder / name).write_text(json.dumps(document))
    html = written(folder)
    elements = list(parsed(html).all())
    names = {each.name for each in elements}
    assert "section" in names
    assert names.isdisjoint({"script", "img"})
    assert "&lt;script&gt;alert(1)" in html
    assert html.encode().count(b"\0") == 0
    assert [name for each in elements for name in each.attributes if name.startswith(("on", "style"))] == []


def test_no_key_value_is_on_the_page(tmp_path: Path) -> None:
    table = skewed_table(300)
    made_up_run(tmp_path, table, segments=4, batch_seconds=0.05)
    planted = "4711471147114711"
    for path in [*tmp_path.rglob("*.jsonl"), *tmp_path.rglob("batch-*.json")]:
        text = path.read_text()
        path.write_text(re.sub(r'("(?:pk|start_key)": ?)"?[^",}\n]+"?', rf'\g<1>"{planted}"', text))
    assert any(planted in path.read_text() for path in tmp_path.rglob("*.json*"))
    assert planted not in written(tmp_path)


def test_a_run_out_of_budget_is_not_called_complete(stopped: Path) -> None:
    html = written(stopped)
    assert 'state unfinished">Stopped by its budget' in html
    assert "Other ways are not compared before the run is complete" in html
    assert "Complete: " not in html
    assert "not billed" in html
    assert "billed by the hour, not by unit" in html
    assert "the whole bill, without the table&#x27;s provisioned capacity" in html
    assert "$0 for read units" not in html


def test_an_empty_table_has_a_report(tmp_path: Path) -> None:
    made_up_run(tmp_path, skewed_table(0), segments=2, workers=1, with_sample=False)
    assert "0 distinct partition keys" in written(tmp_path)
