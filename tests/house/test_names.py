"""A public name is defined in one module: whoever reads it in another guesses right what it is."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.sources import Nodes, nodes, parsed

pytestmark = pytest.mark.xdist_group("sources")

ROOT = Path("lambdas/skipscan")
VAGUE = {"asked", "beside", "does", "far", "given", "met", "most", "own", "said"}
"""What the author did or had, not what the thing is: parameters have the noun."""


def test_no_public_name_is_defined_in_two_modules() -> None:
    defined = defaultdict(set)
    for path in ROOT.rglob("*.py"):
        module = nodes(path)[0]
        assert isinstance(module, ast.Module)
        for node in module.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                defined[node.name].add(path)
    assert {name for name, paths in defined.items() if len(paths) > 1} == set()


def parameters(nodes: Nodes) -> Iterator[str]:
    """Return the names of all parameters among the nodes."""
    yield from (node.arg for node in nodes if isinstance(node, ast.arg))


def test_a_parameter_says_what_it_is() -> None:
    paths = [path for folder in (ROOT, Path("infra")) for path in folder.rglob("*.py")]
    assert {path: names for path in paths if (names := VAGUE & {*parameters(nodes(path))})} == {}


def test_every_kind_of_parameter_is_noticed() -> None:
    source = "def f(a, /, b, *c, d, **e): lambda g=1: g"
    assert set(parameters(parsed(source))) == {*"abcdeg"}
