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
Scope = ast.Module | ast.ClassDef | Function
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

    def scope(self, name: str) -> Scope | None:
        """Return the class or function of a qualified name; the module for an empty one; None if there is none."""
        found: Scope = self.tree
        for step in filter(None, name.split(".")):
            inner = [each for each in _defined(found) if each.name == step]
            if len(inner) != 1:
                return None
            (found,) = inner
        return found

    def qualified_name(self, node: ast.AST) -> str:
        """Return the name of the innermost class or function around a node, as `scope` takes it."""
        around = [each.name for each in self.above(node) if isinstance(each, ast.ClassDef | Function)]
        return ".".join(reversed(around))

    def helpers(self, scope: Scope) -> list[Scope]:
        """Return the functions of this module that a function calls, and those that they call, nearest first.

        What a function does is still at its address after a part of it has become a function of its own.
        """
        if not isinstance(scope, Function):
            return []
        functions = [node for node in ast.walk(self.tree) if isinstance(node, Function)]
        found: list[Function] = [scope]
        for each in found:
            called = {called_name(node) for node in ast.walk(each) if isinstance(node, ast.Call)}
            found += [other for other in functions if other.name in called and other not in found]
        return list(found[1:])

    def own_names(self, node: ast.AST) -> frozenset[str]:
        """Return the names that are local to the functions around a node. They say nothing that lasts."""
        return frozenset().union(
            *(self._local_names[each] for each in (node, *self.above(node)) if each in self._local_names)
        )

    @cached_property
    def _local_names(self) -> dict[ast.AST, frozenset[str]]:
        return {node: bound_names(node) for node in ast.walk(self.tree) if isinstance(node, Function | ast.Lambda)}

    @cached_property
    def global_names(self) -> frozenset[str]:
        """Return the names that the module defines or imports for all of its functions."""
        found = {each.name for each in ast.walk(self.tree) if isinstance(each, ast.ClassDef | Function)}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                found |= {(each.asname or each.name).partition(".")[0] for each in node.names}
        return frozenset(found) | bound_names(ast.Module([n for n in self.tree.body if not isinstance(n, Scope)], []))

    @cached_property
    def attributes(self) -> frozenset[str]:
        """Return the names of attributes, methods and fields that the module has."""
        fields = {
            each.target.id
            for each in ast.walk(self.tree)
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        }
        return (
            self.global_names | fields | {each.attr for each in ast.walk(self.tree) if isinstance(each, ast.Attribute)}
        )

    def replaced(self, node: Replaced, by: ast.AST | Sequence[ast.AST] | str, text: str = "") -> str:
        """Return the text in which other code stands at the node's place. All other text stays as it is.

        `text`: of the source, with other code behind the node already.
        """
        node, by = self._with_a_place(node, by)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        lines = (text or self.text).encode().splitlines(keepends=True)
        before = b"".join([*lines[: node.lineno - 1], lines[node.lineno - 1][: node.col_offset]])
        after = b"".join([lines[node.end_lineno - 1][node.end_col_offset :], *lines[node.end_lineno :]])
        code = by if isinstance(by, str) else self._code(by, node)
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
        self, node: Replaced, by: ast.AST | Sequence[ast.AST] | str
    ) -> tuple[Replaced, ast.AST | Sequence[ast.AST] | str]:
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
        new = ast.parse(by).body if isinstance(by, str) else by
        if isinstance(by, str) and isinstance(node, ast.expr):
            new = ast.parse(by, mode="eval").body
        return self._with_a_place(outer, _substituted(outer, node, new))


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


def words(node: ast.AST, own: frozenset[str]) -> frozenset[str]:
    """Return what a node refers to: attributes, functions, classes, constants, names of arguments, short texts.

    Not what changes without a reason: names of local variables, and sentences.
    """
    return frozenset(word for each in ast.walk(node) for word in word_of(each, own))


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


def _defined(scope: Scope) -> Iterator[ast.ClassDef | Function]:
    """Yield the classes and functions defined in a scope, not those within them."""
    waiting: list[ast.AST] = list(ast.iter_child_nodes(scope))
    for node in waiting:
        if isinstance(node, ast.ClassDef | Function):
            if not any("overload" in words(each, frozenset()) for each in node.decorator_list):
                yield node
        elif not isinstance(node, ast.expr):
            waiting += ast.iter_child_nodes(node)


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
