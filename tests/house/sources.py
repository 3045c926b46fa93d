"""The syntax trees of the product's files, each parsed once in a process: to parse them all takes half a second.

The tests that do are one xdist group, `sources`, for that process to be the same.
"""

import ast
from functools import cache
from pathlib import Path

Nodes = tuple[ast.AST, ...]


def parsed(source: str | bytes) -> Nodes:
    """Return every node of a source; the first is the module."""
    return tuple(ast.walk(ast.parse(source)))


@cache
def nodes(path: Path) -> Nodes:
    return parsed(path.read_bytes())
