"""The kill matrix of infra: properties that are missing in the templates, and all tests that notice each.

`python -m tests.house.mutants.properties --number 200 FILE.jsonl` removes one property after another from what synth
wrote for the environments of the tests, in every template that has it, and appends a line for each: its address, and
the tests that noticed it. A property of a state machine's definition is one, too. A second call goes on where the
first one stopped. `--of MATRIX.jsonl` removes those of another file's addresses instead. The templates are synthesised
once; each trial is a fork.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.house.mutants.matrix import Noticing, Results

TESTS = Path("tests/engines/infra")
INTERPRETERS = TESTS / "machines"
"""Their tests see definitions of state machines alone."""
SECONDS = 0.5
"""Of CPU; slower tests are left out."""
DEFINITION = "DefinitionString"
"""Is a text: a Join of JSON and references."""
Place = tuple[str | int, ...]


class Property(NamedTuple):
    """`place`: the names and indexes that lead to it in its resource."""

    kind: str
    logical_id: str
    place: Place

    @property
    def address(self) -> str:
        return f"{self.kind} {self.logical_id} {'/'.join(map(str, self.place))}"


def places(value: Any, above: Place = ()) -> Iterator[Place]:
    """Yield where a value has a property, or an element of a list that is not its only one."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if not (name == "Ref" or name.startswith("Fn::")):
                yield (*above, name)
                yield from places(inner, (*above, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if len(value) > 1:
                yield (*above, index)
            yield from places(inner, (*above, index))


def without(value: Any, place: Place) -> Any:
    """Return a value without the property at a place."""
    first, *rest = place
    if isinstance(value, dict):
        kept = {name: inner for name, inner in value.items() if name != first}
        return {**value, first: without(value[first], tuple(rest))} if rest else kept
    assert isinstance(first, int)
    return [*value[:first], *([without(value[first], tuple(rest))] if rest else []), *value[first + 1 :]]


def opened(resource: Mapping[str, Any]) -> dict[str, Any]:
    """Return a resource whose definition is JSON, with its references as texts."""
    text = resource.get("Properties", {}).get(DEFINITION)
    if text is None:
        return dict(resource)
    parts = text["Fn::Join"][1] if isinstance(text, dict) else [text]
    whole = "".join(
        part if isinstance(part, str) else rf"\u0000{json.dumps(part).encode().hex()}\u0000" for part in parts
    )
    return {**resource, "Properties": {**resource["Properties"], DEFINITION: json.loads(whole)}}


def closed(resource: Mapping[str, Any]) -> dict[str, Any]:
    """Return a resource as it was before it was opened."""
    definition = resource.get("Properties", {}).get(DEFINITION)
    if definition is None:
        return dict(resource)
    pieces = re.split(r"\\u0000", json.dumps(definition, separators=(",", ":")))
    parts = [json.loads(bytes.fromhex(piece)) if index % 2 else piece for index, piece in enumerate(pieces)]
    return {**resource, "Properties": {**resource["Properties"], DEFINITION: {"Fn::Join": ["", parts]}}}


def properties(templates: Sequence[Mapping[str, Any]]) -> dict[Property, None]:
    """Return every property of every resource once, whichever templates have it."""
    return {
        Property(resource["Type"], logical_id, place): None
        for template in templates
        for logical_id, resource in template["Resources"].items()
        for place in places(opened(resource))
        if place not in {("Type",), ("Properties",)} and place[0] != "Metadata"
    }


def drawn(every: Mapping[Property, None], number: int, seed: int) -> list[Property]:
    """Return so many properties: of each type of resource in turn, and one of each name before a second one of any."""
    of_types: dict[str, dict[tuple[str, ...], list[Property]]] = defaultdict(lambda: defaultdict(list))
    for one in every:
        of_types[one.kind][tuple(part for part in one.place if isinstance(part, str))].append(one)

    def order(one: object) -> bytes:
        return sha256(f"{seed} {one}".encode()).digest()

    rows = []
    for _, names in sorted(of_types.items()):
        ranked = (sorted(names[name], key=order) for name in sorted(names, key=order))
        rows.append([one for one in chain.from_iterable(zip_longest(*ranked)) if one])
    return [one for one in chain.from_iterable(zip_longest(*rows)) if one][:number]


class Properties:
    """Tries every property in a fork of pytest's session. `asked`: the arguments of the command line."""

    def __init__(self, results: Results, asked: argparse.Namespace) -> None:
        self._results, self._asked = results, asked

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if "assembly" in getattr(item, "fixturenames", ())]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        [fixture] = session._fixturemanager._arg2fixturedefs["assembly"]
        folder: Any = fixture.func()
        fixture.func = lambda: folder  # type: ignore[misc]
        seconds = self._timed(session.items)
        items = [item for item in session.items if seconds.get(item.nodeid, SECONDS) < SECONDS]
        every = properties([json.loads(file.read_text()) for file in sorted(folder.glob("*.template.json"))])
        if self._asked.of:
            known = Results(self._asked.of).done()
            chosen = [one for one in every if one.address in known]
        else:
            chosen = drawn(every, self._asked.number, self._asked.seed)
        done = self._results.done()
        for one in chosen:
            if one.address not in done:
                fixture.func = partial(_altered, one, folder, self._results.file.with_suffix(".assembly"))  # type: ignore[misc]
                has_definition = one.kind.endswith("::StateMachine")
                near = [item for item in items if has_definition or INTERPRETERS.as_posix() not in item.nodeid]
                self._results.add({"room": "infra", "defect": one.address}, partial(self._run, near, seconds))
        return True

    def _run(self, items: Sequence[pytest.Item], seconds: Mapping[str, float]) -> None:
        noticing = Noticing(self._results.log, seconds)
        items[0].config.pluginmanager.register(noticing)
        noticing.run(items)

    def _timed(self, items: Sequence[pytest.Item]) -> dict[str, float]:
        """Return the CPU of every test that passes as it is, as it was when the file of results began."""
        kept = self._results.file.with_suffix(".times")
        if not kept.exists() and not os.fork():
            noticing, times = Noticing(self._results.log, {}), dict[str, float]()
            items[0].config.pluginmanager.register(noticing)
            for item in items:
                begun = time.process_time()
                noticing.run([item])
                times[item.nodeid] = time.process_time() - begun
            failed = {line[2:] for line in self._results.log.read_text().splitlines() if line.startswith("F")}
            kept.write_text(json.dumps({name: spent for name, spent in times.items() if name not in failed}))
            os._exit(0)
        elif not kept.exists():
            os.wait()
        return dict(json.loads(kept.read_text()))


def _altered(removed: Property, folder: Path, copy: Path) -> Path:
    """Return a copy of what synth wrote without a property."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns("asset.*"))
    for asset in folder.glob("asset.*"):
        (copy / asset.name).symlink_to(asset)
    for file in copy.glob("*.template.json"):
        template = json.loads(file.read_text())
        resource = opened(template["Resources"].get(removed.logical_id, {}))
        if removed.place in set(places(resource)):
            template["Resources"][removed.logical_id] = closed(without(resource, removed.place))
            file.write_text(json.dumps(template))
    return copy


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.house.mutants.properties")
    parser.add_argument("file", type=Path)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=52)
    parser.add_argument("--of", type=Path, help="a file of results: try its properties that are there still")
    asked = parser.parse_args()
    results = Results(asked.file.resolve())
    chosen = ["-q", "--tb=no", "--assert=plain", "-n0", "-p", "no:randomly", "-m", "not long and not snapshot"]
    chosen += ["-W", "ignore::pytest.PytestAssertRewriteWarning", f"--basetemp={results.file.with_suffix('.tmp')}"]
    return int(pytest.main([TESTS.as_posix(), *chosen], [Properties(results, asked)]))


if __name__ == "__main__":
    sys.exit(main())
