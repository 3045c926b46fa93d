"""The page "From Python": its examples run as they stand, over a table in memory."""

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

import skipscan
from skipscan.dynamodb.prices import default_prices
from skipscan.library import api
from tests.unit.folder.local_listing import Client

PAGE = Path("docs/library.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client: Any = Client()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(api, "connected", lambda *_: (client, lambda rare: default_prices(is_infrequent_access=rare)))
    examples = "\n".join(BLOCK.findall(PAGE))
    test = doctest.DocTestParser().get_doctest(examples, {}, "library.md", "docs/library.md", 0)
    assert len(test.examples) > 12
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_the_table_has_all_public_names() -> None:
    named = set(re.findall(r"^\| `(\w+)", PAGE, re.MULTILINE))
    assert named == set(skipscan.__all__)
