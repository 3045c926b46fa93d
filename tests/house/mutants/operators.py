"""What is done to a node: each operator returns the defect that it makes of it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.house.mutants.nodes import AddressError, Node, argument, below, call, mapping
from tests.house.mutants.source import Function, Replaced, Scope, Source, bound_names, with_fields

Edit = tuple[Replaced, ast.AST | list[ast.stmt] | str]
"""A node, and what stands in its place."""

COMPARED: dict[str, type[ast.cmpop]] = {
    **{"<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE, "==": ast.Eq, "!=": ast.NotEq},
    **{"is": ast.Is, "is not": ast.IsNot, "in": ast.In, "not in": ast.NotIn},
}


@dataclass(frozen=True)
class Operator:
    """`said`: the defect in words. `change`: returns what to replace, for each of `nodes` as it was found."""

    said: str
    nodes: tuple[Node, ...]
    change: Callable[..., Iterable[Edit]]

    def applied(self, source: Source, scope: Scope) -> str:
        """Return the text of the source with the defect; raise `AddressError` unless each node is there once."""
        found = [_one(node, source, scope) for node in self.nodes]
        text = source.text
        # From the end of the text, so that the places before it hold.
        for node, by in sorted(self.change(source, *found), key=_begin, reverse=True):
            if isinstance(by, str):
                _check_names(by, source, node)
            text = source.replaced(node, by, text)
        return text


def drop(node: Node) -> Operator:
    """Leave out a statement, an argument, a key, an element, or one side of an expression."""
    return Operator(f"without the {node}", (node,), lambda source, found: [_without(source, found)])


def drop_keyword(called: str, keyword: str, *words: str, number: int = 0) -> Operator:
    """Leave out a keyword of the call of such a name."""
    return drop(argument(keyword, within=call(called, *words, number=number)))


def drop_key(key: str, *words: str, number: int = 0, within: Node | None = None) -> Operator:
    """Leave out a key, with its value, of the mapping that has it."""
    node = mapping(key, *words, number=number, within=within)

    def change(_: Source, found: ast.AST) -> list[Edit]:
        assert isinstance(found, ast.Dict)
        return [(found, _without_pair(found, _place(found, key)))]

    return Operator(f"without the key {key}", (node,), change)


def set_key(key: str, code: str, *words: str, number: int = 0, within: Node | None = None) -> Operator:
    """Give a key of a mapping another value."""
    node = mapping(key, *words, number=number, within=within)

    def change(_: Source, found: ast.AST) -> list[Edit]:
        assert isinstance(found, ast.Dict)
        return [(found.values[_place(found, key)], code)]

    return Operator(f"{key}: {code}", (node,), change)


def never(node: Node) -> Operator:
    """Make a condition false: of an `if`, `while` or choice, or an expression."""
    return Operator(f"never {node}", (node,), lambda _, found: [(_condition(found), "False")])


def always(node: Node) -> Operator:
    """Make a condition true: of an `if`, `while` or choice, or an expression."""
    return Operator(f"always {node}", (node,), lambda _, found: [(_condition(found), "True")])


def negate(node: Node) -> Operator:
    """Make a condition its opposite."""

    def change(_: Source, found: ast.AST) -> list[Edit]:
        condition = _condition(found)
        return [(condition, ast.UnaryOp(ast.Not(), condition))]

    return Operator(f"not {node}", (node,), change)


def becomes(node: Node, code: str) -> Operator:
    """Put other code in the place of an expression or a statement."""
    return Operator(f"{node} -> {code}", (node,), lambda source, found: [(_replaceable(source, found), code)])


def set_value(node: Node, code: str) -> Operator:
    """Give an assignment, an argument or a `return` another value."""

    def change(_: Source, found: ast.AST) -> list[Edit]:
        value = getattr(found, "value", None)
        if not isinstance(value, ast.expr):
            raise AddressError(f"the {node} has no value")
        return [(value, code)]

    return Operator(f"{node} = {code}", (node,), change)


def keep(node: Node, part: str) -> Operator:
    """Keep a part of an expression alone, by its path in the tree: `left`, `values.0`, `func.value`."""

    def change(source: Source, found: ast.AST) -> list[Edit]:
        return [(_replaceable(source, found), below(found, part))]

    return Operator(f"{part} of {node} alone", (node,), change)


def instead(node: Node, other: str) -> Operator:
    """Call or read something of another name."""

    def renamed(found: ast.AST) -> ast.expr:
        match found:
            case ast.Call(func=func):
                return with_fields(found, func=renamed(func))
            case ast.Attribute():
                return with_fields(found, attr=other)
            case ast.Name():
                return with_fields(found, id=other)
        raise AddressError(f"the {node} has no name")

    return Operator(f"{other} instead of {node}", (node,), lambda source, f: [(_replaceable(source, f), renamed(f))])


def compare(node: Node, comparison: str) -> Operator:
    """Compare by another operator."""

    def change(_: Source, found: ast.AST) -> list[Edit]:
        assert isinstance(found, ast.Compare)
        return [(found, with_fields(found, ops=[COMPARED[comparison](), *found.ops[1:]]))]

    return Operator(f"{comparison} in {node}", (node,), change)


def add_arguments(node: Node, code: str) -> Operator:
    """Pass more arguments to a call: `code` as it would stand in its brackets."""

    def change(_: Source, found: ast.AST) -> list[Edit]:
        more = ast.parse(f"f({code})", mode="eval").body
        assert isinstance(found, ast.Call)
        assert isinstance(more, ast.Call)
        keywords = [*found.keywords, *more.keywords]
        return [(found, with_fields(found, args=[*found.args, *more.args], keywords=keywords))]

    return Operator(f"{node} with {code}", (node,), change)


def unwrap(node: Node) -> Operator:
    """Run the body of a `with` or `try` without it."""
    return Operator(f"without {node}", (node,), lambda _, found: [(found, list(found.body))])


def swallow(node: Node) -> Operator:
    """Let a handler do nothing about the error that it catches."""

    def change(_: Source, found: ast.AST) -> list[Edit]:
        assert isinstance(found, ast.ExceptHandler)
        return [(found.body[-1], "pass"), *((each, "pass") for each in found.body[:-1])]

    return Operator(f"{node} that does nothing", (node,), change)


def widen(node: Node, error: str = "Exception") -> Operator:
    """Let a handler catch another class of errors."""

    def change(_: Source, found: ast.AST) -> list[Edit]:
        assert isinstance(found, ast.ExceptHandler)
        assert found.type is not None
        return [(found.type, error)]

    return Operator(f"{node} that catches {error}", (node,), change)


def return_early(code: str = "None") -> Operator:
    """Return that at once from the function at the address."""

    def change(_: Source, found: ast.AST) -> list[Edit]:
        assert isinstance(found, Function)
        first = found.body[1 if ast.get_docstring(found) and len(found.body) > 1 else 0]
        return [(first, ast.parse(f"if True:\n return {code}").body[0].body)]  # type: ignore[attr-defined]

    return Operator(f"returns {code} at once", (Node("scope"),), change)


def insert_before(node: Node, code: str) -> Operator:
    """Run other code before a statement."""

    def change(source: Source, found: ast.AST) -> list[Edit]:
        statement = _statement(source, found)
        return [(statement, [*ast.parse(code).body, statement])]

    return Operator(f"{code} before {node}", (node,), change)


def insert_after(node: Node, code: str) -> Operator:
    """Run other code after a statement."""

    def change(source: Source, found: ast.AST) -> list[Edit]:
        statement = _statement(source, found)
        return [(statement, [statement, *ast.parse(code).body])]

    return Operator(f"{code} after {node}", (node,), change)


def one_round(node: Node) -> Operator:
    """Leave a loop after its first round: what comes on a second page is not there."""

    def change(_: Source, found: ast.AST) -> list[Edit]:
        assert isinstance(found, ast.For | ast.While)
        return [(found.body[-1], [found.body[-1], ast.Break()])]

    return Operator(f"one round of {node}", (node,), change)


def swap(first: Node, second: Node) -> Operator:
    """Let two statements or expressions change places."""
    return Operator(f"{first} and {second} swapped", (first, second), lambda _, a, b: [(a, b), (b, a)])


def _one(node: Node, source: Source, scope: Scope) -> ast.AST:
    if node.kind == "scope":
        return scope
    for each in (scope, *source.helpers(scope)):
        if found := node.found(source, each):
            break
    if not found:
        raise AddressError(f"no {node} there")
    if len(found) > 1:
        lines = ", ".join(str(getattr(each, "lineno", "?")) for each in found)
        raise AddressError(
            f"{len(found)} times {node}, in lines {lines}: name what only one of them refers to, what it is within, "
            "or its number"
        )
    return found[0]


def _condition(found: ast.AST) -> ast.expr:
    if isinstance(found, ast.If | ast.While | ast.IfExp):
        return found.test
    if isinstance(found, ast.expr):
        return found
    raise AddressError("that node is no condition")


def _replaceable(source: Source, found: ast.AST) -> Replaced:
    """Return a node that may be replaced by code of its kind; an expression that is a whole statement, as that."""
    parent = source.parents.get(found)
    if isinstance(parent, ast.Expr):
        return parent
    if isinstance(found, ast.expr | ast.stmt | ast.ExceptHandler):
        return found
    raise AddressError("that node has no code of its own")


def _statement(source: Source, found: ast.AST) -> ast.stmt:
    return next(each for each in (found, *source.above(found)) if isinstance(each, ast.stmt))


def _without(source: Source, found: ast.AST) -> Edit:  # noqa: PLR0911  # a kind of node each
    if isinstance(found, ast.stmt):
        return found, "pass"
    parent = source.parents[found]
    match parent:
        case ast.Expr():
            return parent, "pass"
        case ast.Call(args=args, keywords=keywords):
            kept = [each for each in args if each is not found]
            return parent, with_fields(parent, args=kept, keywords=[each for each in keywords if each is not found])
        case ast.BoolOp(values=values):
            rest = [each for each in values if each is not found]
            return parent, rest[0] if len(rest) == 1 else with_fields(parent, values=rest)
        case ast.BinOp(left=left, right=right):
            return parent, right if found is left else left
        case ast.IfExp(body=body, orelse=orelse) if found in {body, orelse}:
            return parent, orelse if found is body else body
        case ast.Dict(keys=keys, values=values):
            return parent, _without_pair(
                parent, next(i for i, pair in enumerate(zip(keys, values, strict=True)) if found in pair)
            )
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return parent, with_fields(parent, elts=[each for each in elements if each is not found])
        case ast.Starred():
            return _without(source, parent)
        case ast.comprehension(ifs=ifs) if found in ifs:
            owner = source.parents[parent]
            assert isinstance(owner, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
            fewer = ast.comprehension(
                parent.target, parent.iter, [each for each in ifs if each is not found], parent.is_async
            )
            return owner, with_fields(
                owner, generators=[fewer if each is parent else each for each in owner.generators]
            )
        case ast.FormattedValue():
            text = source.parents[parent]
            assert isinstance(text, ast.JoinedStr)
            return text, with_fields(text, values=[each for each in text.values if each is not parent])
    raise AddressError(f"a part of {type(parent).__name__} cannot be left out")


def _without_pair(found: ast.Dict, place: int) -> ast.expr:
    keys, values = list(found.keys), list(found.values)
    del keys[place], values[place]
    return with_fields(found, keys=keys, values=values)


def _place(found: ast.Dict, key: str) -> int:
    return next(place for place, each in enumerate(found.keys) if isinstance(each, ast.Constant) and each.value == key)


def _check_names(code: str, source: Source, node: ast.AST) -> None:
    """Raise `AddressError` for code with a name that is not there: it would only show that Python notices it.

    An attribute of `self` must stand elsewhere in the module.
    """
    tree = ast.parse(code)
    unknown = (
        {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} - bound_names(tree) - set(dir(builtins))
    )
    if unknown := unknown - source.own_names(node) - source.global_names:
        raise AddressError(f"{code} has {', '.join(sorted(unknown))}, a name that is not there")
    own = {e.attr for e in ast.walk(tree) if isinstance(e, ast.Attribute) and ast.unparse(e.value) == "self"}
    if unknown := own - source.attributes:
        raise AddressError(f"{code} has {', '.join(sorted(unknown))}, an attribute that is not there")


def _begin(edit: Edit) -> tuple[int, int]:
    return edit[0].lineno, edit[0].col_offset
