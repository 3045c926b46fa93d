"""The pages "From Python" and "For data people": their examples run as they stand, over a table in memory."""

import doctest
import re
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

import skipscan
from skipscan.dynamodb.prices import default_prices
from skipscan.library import api, stream
from tests.unit.folder.local_listing import Client

PAGE = Path("docs/library.md").read_text(encoding="utf-8")
DATA = Path("docs/use-the-keys.md").read_text(encoding="utf-8")
OVER_S3 = Path("examples/duckdb_s3.sql").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def table_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client: Any = Client()
    monkeypatch.chdir(tmp_path)
    # One sample in twenty leads to an interval without the truth: always the same one is drawn.
    monkeypatch.setattr(stream, "SystemRandom", lambda: Random(1))
    monkeypatch.setattr(api, "connected", lambda *_: (client, lambda rare: default_prices(is_infrequent_access=rare)))


@pytest.mark.parametrize(("page", "count"), [(PAGE, 13), (DATA, 7)], ids=["library", "use-the-keys"])
def test_the_examples_run(page: str, count: int) -> None:
    examples = "\n".join(BLOCK.findall(page))
    test = doctest.DocTestParser().get_doctest(examples, {}, "page", None, 0)
    assert len(test.examples) >= count
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_the_query_over_s3_reads_a_run() -> None:
    run = skipscan.list_into("run", "Orders")
    query = OVER_S3.split(";")[-2]
    assert "'s3://BUCKET/skipscan/Orders/runs/RUN/" in query
    found = duckdb.connect().execute(query.replace("s3://BUCKET/skipscan/Orders/runs/RUN/", "run/")).fetchall()
    assert sorted(key for (key,) in found) == sorted(run)


def test_the_table_has_all_public_names() -> None:
    named = set(re.findall(r"^\| `(\w+)", PAGE, re.MULTILINE))
    assert named == set(skipscan.__all__)
