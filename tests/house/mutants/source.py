"""A source as a tree: who is whose parent, which names are a function's own, and how a node's text is replaced."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeVar

UNBRACKETED = (
    *(ast.Constant, ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.JoinedStr, ast.Dict, ast.List, ast.Set),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
"""Expressions that stay one wherever they stand."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
N = TypeVar("N", bound=ast.AST)
Replaced = ast.expr | ast.stmt | ast.ExceptHandler


class Source:
    """A module's text and its tree."""

    def __init__(self, text: str) -> None:
        self.text = text
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

    def own_names(self, node: ast.AST) -> frozenset[str]:
        """Return the names that are local to the functions around a node. They say nothing that lasts."""
        return frozenset().union(
            *(self._local_names[each] for each in (node, *self.above(node)) if each in self._local_names)
        )

    @cached_property
    def _local_names(self) -> dict[ast.AST, frozenset[str]]:
        return {node: bound_names(node) for node in ast.walk(self.tree) if isinstance(node, Function | ast.Lambda)}

    def replaced(self, node: Replaced, by: ast.AST | Sequence[ast.AST]) -> str:
        """Return the text in which other code stands at the node's place. All other text stays as it is."""
        node, by = self._with_a_place(node, by)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        lines = self.text.encode().splitlines(keepends=True)
        before = b"".join([*lines[: node.lineno - 1], lines[node.lineno - 1][: node.col_offset]])
        after = b"".join([lines[node.end_lineno - 1][node.end_col_offset :], *lines[node.end_lineno :]])
        code = self._code(by, node)
        if isinstance(node, ast.expr) and _needs_brackets(code):
            code = f"({code})"
        code = code.replace("\n", "\n" + " " * node.col_offset)
        return (before + code.encode() + after).decode()

    def _code(self, by: ast.AST | Sequence[ast.AST], node: ast.AST) -> str:
        """Return the code of nodes. One that stays beside others keeps its text."""
        if isinstance(by, ast.AST):
            return _code(by)
        return "\n".join(self._own_text(each) if each is node else _code(each) for each in by) or "pass"

    def _own_text(self, node: ast.AST) -> str:
        text = ast.get_source_segment(self.text, node) or ""
        assert isinstance(node, ast.stmt)
        return text.replace("\n" + " " * node.col_offset, "\n")

    def _with_a_place(
        self, node: Replaced, by: ast.AST | Sequence[ast.AST]
    ) -> tuple[Replaced, ast.AST | Sequence[ast.AST]]:
        """Return the innermost node around this one that has a place of its own in the text, and its new form.

        Before Python 3.12 the nodes of an f-string had wrong places; an `elif` has the place of its keyword.
        """
        outer: Replaced | None = None
        for each in (node, *self.above(node)):
            if isinstance(each, ast.JoinedStr):
                outer = each
        parent = self.parents.get(node)
        if isinstance(node, ast.If) and isinstance(parent, ast.If) and parent.orelse == [node]:
            line = self.text.encode().splitlines()[node.lineno - 1]
            outer = parent if line[node.col_offset :].startswith(b"elif") else outer
        if outer is None or outer is node:
            return node, by
        return self._with_a_place(outer, _substituted(outer, node, by))


def with_fields(node: N, **fields: object) -> N:
    """Return a copy of a node with other fields."""
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def called_name(call: ast.Call) -> str:
    """Return the name of what is called, without the object that it belongs to."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def ordered(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below it in the order of the text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from ordered(child)


def names(node: ast.AST) -> Iterator[str]:
    """Yield the names by which a node of its kind is known, local ones too."""
    match node:
        case ast.Call():
            yield called_name(node)
        case ast.keyword(arg=str(name)) | ast.Attribute(attr=name) | ast.Name(id=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Constant(value=value):
            yield value if isinstance(value, str) else repr(value)
        case ast.Assign(targets=targets):
            for each in targets:
                yield from _targets(each)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            yield from _targets(target)
        case ast.Dict(keys=keys):
            yield from (str(key.value) for key in keys if isinstance(key, ast.Constant))
        case ast.ExceptHandler(type=ast.AST() as caught):
            yield from (word for each in ast.walk(caught) for word in word_of(each, frozenset()))


def _targets(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for each in elements:
                yield from _targets(each)
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            yield name


def word_of(node: ast.AST, own: frozenset[str]) -> Iterator[str]:
    """Yield what this node itself refers to, without those below it."""
    match node:
        case ast.Name(id=name):
            if name not in own:
                yield name
        case ast.Attribute(attr=name):
            yield name
        case ast.keyword(arg=str(name)):
            yield f"{name}="
        case ast.Constant(value=str(text)):
            if any(map(str.isalnum, text)) and not any(map(str.isspace, text)):
                yield text
        case ast.Constant(value=value):
            yield repr(value)


def bound_names(tree: ast.AST) -> frozenset[str]:
    """Return the names that code gives a value, and its functions' parameters."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
                found.add(name)
    return frozenset(found)


def _substituted(outer: ast.AST, node: ast.AST, by: ast.AST | Sequence[ast.AST]) -> ast.AST:
    """Return a copy of a node in which another node below it is replaced."""

    class Substitution(ast.NodeTransformer):
        def visit(self, each: ast.AST) -> ast.AST | list[ast.AST]:
            if each is not node:
                return self.generic_visit(each)
            return by if isinstance(by, ast.AST) else list(by)

    # A copy of all but the node itself, which has to be recognised in it.
    copied = copy.deepcopy(outer, {id(node): node})
    result = Substitution().visit(copied)
    assert isinstance(result, ast.AST)
    return result


def _code(by: ast.AST | Sequence[ast.AST]) -> str:
    if isinstance(by, ast.AST):
        return ast.unparse(ast.fix_missing_locations(by))
    return "\n".join(_code(each) for each in by) or "pass"


def _needs_brackets(code: str) -> bool:
    parsed = ast.parse(code, mode="eval").body
    return not isinstance(parsed, UNBRACKETED)
