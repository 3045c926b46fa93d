"""What a test needs, and which tests begin first.

- `engine`: a server, Node or pip. Every test of an xdist group is one, for a group is there to start something once;
  so is every test that asks for the fixture `dynalite`. Others say so themselves: they start a process, or import the
  CDK's library, which starts Node. `make check` leaves them out.
- `slow`: no engine, but seconds of CPU. `make check` leaves them out too.
- `in_order`: the tests of a file tell one story, in the order in which they are written.
- `long`: tries with more seeds or schedules what another test tries, or shows on an engine what another shows without.
  `make test-all` alone runs them.
- `sampled(n)`: has many cases of which all but the first and every n-th after it are `long`.
- `snapshot`: compares a whole page, screen or template with a file; every test that asks for the fixture of syrupy is
  one. It notices nearly every defect and says why of none, so no trial of a mutant counts it.
- `posix`: needs terminals, forks or signals as POSIX has them. Windows skips them. Modules that Windows lacks are
  imported inside the functions that use them, as ruff sees to.

The order is random (pytest-randomly), but the groups which take longest are handed out first: the run would have to
wait for one that began last.
"""

import os
import re
from collections import Counter
from itertools import count
from pathlib import Path

import pytest

IN_PROCESS = frozenset({"fake", "hcl2", "moto", "report", "sources"})
"""Groups that start nothing."""
SLOW_SECONDS = 1800
"""After which a test that starts something, a deployment among other things, or tries thousands of cases, hangs."""
LONGEST = (
    *("mutants", "streams", "embedded", "sandbox", "iam", "dynalite", "synth", "installed", "dynamodb-local"),
    *("sources", "chromium", "bundle"),
)
IS_POSIX = os.name == "posix"
NO_POSIX = "this system is not a POSIX system"

MARKS = re.compile(r"^pytestmark = (\[[^\]]*\]|.*)", re.MULTILINE)
MARK = re.compile(r"\bmark\.(\w+)(?:\(\"([\w-]+)\"\))?")
LEFT_OUT = re.compile(r"\bnot (\w+)\b")

WRITTEN = pytest.StashKey[int]()
COLLECTED = count()
CASES = pytest.StashKey[Counter[str]]()


def pytest_configure(config: pytest.Config) -> None:
    for line in (
        "engine: needs a server, Node or pip",
        "slow: seconds of CPU without any engine",
        "in_order: the tests of a file are chapters of one story, and run as they are written",
        "long: repeats what another test tries, with more seeds or schedules, or on an engine",
        "sampled(n): all cases but one in n are long",
        "snapshot: compares a whole page, screen or template with a file",
        "posix: needs terminals, forks or signals as POSIX has them",
    ):
        config.addinivalue_line("markers", line)
    config.stash[CASES] = Counter()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a file whose own marks leave out all of its tests: importing it takes most of what collecting does."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    asked = config.getoption("markexpr")
    left_out = set(LEFT_OUT.findall(asked)) if " or " not in asked else set()
    if left_out and (stated := MARKS.search(collection_path.read_text(encoding="utf-8"))):
        for mark, of_group in MARK.findall(stated[1]):
            starts = mark == "xdist_group" and of_group not in {"", *IN_PROCESS}
            if mark in left_out or (starts and "engine" in left_out):
                return True
    return None


def pytest_itemcollected(item: pytest.Item) -> None:
    item.stash[WRITTEN] = next(COLLECTED)
    started = group(item) not in {None, *IN_PROCESS}
    if started or "dynalite" in getattr(item, "fixturenames", ()):
        item.add_marker("engine")
    if "snapshot" in getattr(item, "fixturenames", ()):
        item.add_marker("snapshot")
    if not IS_POSIX and item.get_closest_marker("posix"):
        item.add_marker(pytest.mark.skip(reason=NO_POSIX))
    if sampled := item.get_closest_marker("sampled"):
        cases, test = item.config.stash[CASES], item.nodeid.partition("[")[0]
        if cases[test] % sampled.args[0]:
            item.add_marker("long")
        cases[test] += 1
    is_slow = any(item.get_closest_marker(kind) for kind in ("engine", "long"))
    if is_slow and item.get_closest_marker("timeout") is None:
        item.add_marker(pytest.mark.timeout(SLOW_SECONDS))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    rank = {name: place for place, name in enumerate(LONGEST)}
    for module in {item.nodeid.partition("::")[0] for item in items if item.get_closest_marker("in_order")}:
        places = [place for place, item in enumerate(items) if item.nodeid.partition("::")[0] == module]
        story = sorted((items[place] for place in places), key=lambda item: item.stash[WRITTEN])
        for place, item in zip(places, story, strict=True):
            items[place] = item
    items.sort(key=lambda item: rank.get(group(item) or "", len(rank)))


def group(item: pytest.Item) -> str | None:
    """Return the name of a test's xdist group."""
    mark = item.get_closest_marker("xdist_group")
    if mark is None:
        return None
    return str(mark.args[0] if mark.args else mark.kwargs["name"])
