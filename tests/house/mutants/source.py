"""A source as a tree: who is whose parent, and the whole text with one node replaced."""

import ast
import copy
from collections.abc import Iterator
from functools import cached_property
from typing import TypeVar

Function = ast.FunctionDef | ast.AsyncFunctionDef
N = TypeVar("N", bound=ast.AST)
Replaced = ast.expr | ast.stmt | ast.ExceptHandler


class Source:
    """A module's text and its tree."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.tree = ast.parse(text)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the node's parent, that one's parent, and so on."""
        while node := self.parents.get(node):  # type: ignore[assignment]
            yield node

    def qualified_name(self, node: ast.AST) -> str:
        """Return the name of the innermost class or function around a node."""
        around = [each.name for each in self.above(node) if isinstance(each, ast.ClassDef | Function)]
        return ".".join(reversed(around))

    def replaced(self, node: Replaced, by: ast.AST) -> str:
        """Return the code in which other code stands at the node's place. No comment stays."""

        class Substitution(ast.NodeTransformer):
            def visit(self, each: ast.AST) -> ast.AST:
                return by if each is node else self.generic_visit(each)

        # A copy of all but the node itself, which has to be recognised in it.
        copied = copy.deepcopy(self.tree, {id(node): node})
        return ast.unparse(ast.fix_missing_locations(Substitution().visit(copied)))


def with_fields(node: N, **fields: object) -> N:
    """Return a copy of a node with other fields."""
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
