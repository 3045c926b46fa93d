"""A public name is defined in one module: whoever reads it in another guesses right what it is."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from tests.house.sources import nodes

pytestmark = pytest.mark.xdist_group("sources")

ROOT = Path("lambdas/skipscan")


def test_no_public_name_is_defined_in_two_modules() -> None:
    defined = defaultdict(set)
    for path in ROOT.rglob("*.py"):
        module = nodes(path)[0]
        assert isinstance(module, ast.Module)
        for node in module.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                defined[node.name].add(path)
    assert {name for name, paths in defined.items() if len(paths) > 1} == set()
