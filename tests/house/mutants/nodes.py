"""How a mutant names a node of the syntax: by its kind and by what it refers to.

What a node refers to lasts longer than its text: the attributes, functions, classes, constants, keywords and short
texts in it (`tests.house.mutants.source.words`). Names of local variables and sentences do not count. Where nothing
else tells two nodes apart, a number does. Of expressions within each other the innermost counts.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.house.mutants.source import Source, called_name, words

SIMPLE = (
    *(ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Delete, ast.Assert),
    *(ast.Pass, ast.Break, ast.Continue),
)
KINDS: dict[str, tuple[type[ast.AST], ...]] = {
    "argument": (ast.keyword,),
    "arithmetic": (ast.BinOp,),
    "assignment": (ast.Assign, ast.AnnAssign, ast.AugAssign),
    "attribute": (ast.Attribute,),
    "boolean": (ast.BoolOp,),
    "call": (ast.Call,),
    "choice": (ast.IfExp,),
    "comparison": (ast.Compare,),
    "comprehension": (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    "constant": (ast.Constant,),
    "for": (ast.For,),
    "function": (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    "handler": (ast.ExceptHandler,),
    "if": (ast.If, ast.While),
    "list": (ast.List, ast.Tuple, ast.Set),
    "mapping": (ast.Dict,),
    "name": (ast.Name,),
    "negation": (ast.UnaryOp,),
    "return": (ast.Return,),
    "statement": SIMPLE,
    "subscript": (ast.Subscript,),
    "text": (ast.JoinedStr,),
    "try": (ast.Try,),
    "with": (ast.With,),
    "yield": (ast.Yield, ast.YieldFrom),
}


class AddressError(Exception):
    """A mutant's address finds no node, or more than one: the code has changed, and the address must follow it."""


@dataclass(frozen=True)
class Node:
    """`kind`: a key of `KINDS`. `name`: of what is called, assigned, caught, passed or raised, if the kind has one.

    `words`: all must be in the node; of an `if`, in its condition. `number`: which of several, from 1; 0 if there is
    one. `within`: another node, around this one.
    """

    kind: str
    name: str = ""
    words: tuple[str, ...] = ()
    number: int = 0
    within: Node | None = None
    raises: str = ""
    then: str = ""
    steps: str = ""

    def part(self, steps: str) -> Node:
        """Return a part of the node by its path in the tree: `args.1`, `elts.0`, `body.0`."""
        return replace(self, steps=steps)

    def inside(self, around: Node) -> Node:
        """Return the same node, sought within another one only."""
        return replace(self, within=around)

    def found(self, source: Source, scope: ast.AST) -> list[ast.AST]:
        """Return the nodes of a scope that fit, in the order of the text."""
        around = self.within.found(source, scope) if self.within else [scope]
        fitting = [node for each in around for node in ordered(each) if self._fits(node, source)]
        unique = list(dict.fromkeys(fitting))
        # An `if` within another one is known by its own condition: both count.
        outer = {above for node in unique for above in source.above(node) if isinstance(above, ast.expr | ast.keyword)}
        innermost = [node for node in unique if node not in outer]
        chosen = innermost[self.number - 1 : self.number] if self.number else innermost
        return [below(node, self.steps) for node in chosen]

    def _fits(self, node: ast.AST, source: Source) -> bool:
        if not isinstance(node, KINDS[self.kind]):
            return False
        if self.name and self.name not in names(node):
            return False
        if self.raises and self.raises not in raised(node):
            return False
        if self.then and self.then not in words(ast.Module(_body(node), []), source.own_names(node)):
            return False
        return not self.words or set(self.words) <= words(_telling(node), source.own_names(node))

    def __str__(self) -> str:
        said = " ".join(filter(None, (self.kind, self.name, *(f"`{word}`" for word in self.words))))
        said += f" that raises {self.raises}" if self.raises else ""
        said += f" then {self.then}" if self.then else ""
        said = f"{self.steps} of {said}" if self.steps else said
        said += f" number {self.number}" if self.number else ""
        return f"{said} within {self.within}" if self.within else said


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
            yield from words(caught, frozenset())


def raised(node: ast.AST) -> frozenset[str]:
    """Return the names of the errors that the body of an `if` or a handler raises by itself."""
    errors = [each.exc for each in _body(node) if isinstance(each, ast.Raise)]
    return frozenset(called_name(error) if isinstance(error, ast.Call) else "the same" for error in errors)


def below(node: ast.AST, steps: str) -> ast.AST:
    """Return the node at a path below another one."""
    found: Any = node
    for step in filter(None, steps.split(".")):
        try:
            found = found[int(step)] if isinstance(found, list) else getattr(found, step)
        except (AttributeError, IndexError):
            raise AddressError(f"a {type(node).__name__} has no {steps}") from None
    if not isinstance(found, ast.AST):
        raise AddressError(f"{steps} of a {type(node).__name__} is no node")
    return found


def _body(node: ast.AST) -> list[ast.stmt]:
    body = getattr(node, "body", [])
    return body if isinstance(body, list) else []


def _telling(node: ast.AST) -> ast.AST:
    """Return the part of a node by whose words it is known: an `if` by its condition, a handler by what it catches."""
    match node:
        case ast.If(test=part) | ast.While(test=part) | ast.For(iter=part) | ast.ExceptHandler(type=ast.AST() as part):
            return part
        case ast.With(items=items):
            return ast.Tuple([item.context_expr for item in items])
        case ast.Raise(exc=ast.Call(func=part)):
            return part
    return node


def _targets(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for each in elements:
                yield from _targets(each)
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            yield name


def _of(kind: str) -> Callable[..., Node]:
    def node(*words: str, number: int = 0, within: Node | None = None, raises: str = "", then: str = "") -> Node:
        return Node(kind, "", words, number, within, raises, then)

    return node


def _named(kind: str) -> Callable[..., Node]:
    def node(name: str = "", *words: str, number: int = 0, within: Node | None = None) -> Node:
        return Node(kind, name, words, number, within)

    return node


# By what is in them.
arithmetic, boolean, choice, comparison, comprehension = map(
    _of, ("arithmetic", "boolean", "choice", "comparison", "comprehension")
)
if_, for_, with_, try_ = map(_of, ("if", "for", "with", "try"))
elements, negation, returned, statement = map(_of, ("list", "negation", "return", "statement"))
subscript, text, yielded = map(_of, ("subscript", "text", "yield"))
# By a name, then by what is in them.
argument, assignment, attribute, call, constant = map(
    _named, ("argument", "assignment", "attribute", "call", "constant")
)
function, handler, mapping, named = map(_named, ("function", "handler", "mapping", "name"))
