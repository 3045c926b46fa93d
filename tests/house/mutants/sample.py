"""Small random changes of code, as mutation testing makes them: another comparison, another number, a step left out."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tests.house.mutants.source import Function, Replaced, Source, with_fields

Change = tuple[Replaced, ast.AST, str]
"""A node, what takes its place, and the change in words."""

Changing = Callable[[ast.AST], Iterator[Change]]

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
}
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}
STEPS = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Delete)
LINE_CHARACTERS = 50
"""Of the line of a change, in its name."""


@dataclass(frozen=True)
class Variation:
    """One place of a source that reads otherwise.

    `name`: of the change, by its address: module, class or function, the change, and how its line begins. It holds
    wherever in the file the code is. `shown`: the line of code. `runs`: the code is in a function; other code declares
    something.
    """

    path: Path
    line: int
    name: str
    shown: str
    runs: bool
    source: Source = field(compare=False, repr=False)
    change: Change = field(compare=False, repr=False)

    @property
    def function(self) -> str:
        """Return the name of the outermost function that changes; outside of one, no name."""
        node, *_ = self.change
        above = [node, *self.source.above(node)]
        places = [place for place, each in enumerate(above) if isinstance(each, Function)]
        return self.source.qualified_name(above[places[-1] - 1]) if places and places[-1] else ""

    @cached_property
    def text(self) -> str:
        """Return the whole source with the change."""
        node, by, _ = self.change
        return self.source.replaced(node, by)


def changes(path: Path, text: str) -> Iterator[Variation]:
    """Return every change of a source that the operators can make, in the order of its nodes."""
    source = Source(text)
    module = ".".join(path.with_suffix("").parts).removeprefix("skipscan.")
    seen: Counter[str] = Counter()
    for node in _nodes(source.tree):
        for change in OPERATORS:
            for changed, by, said in change(node):
                shown = source.lines[changed.lineno - 1].strip()
                name = f"{module}:{source.qualified_name(node)}: {said} [{shown[:LINE_CHARACTERS]}]"
                seen[name] += 1
                again = f" ({seen[name]})" if seen[name] > 1 else ""
                runs = any(isinstance(each, Function) for each in source.above(node))
                yield Variation(path, changed.lineno, name + again, shown, runs, source, (changed, by, said))


def _conditions(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test, ast.UnaryOp(ast.Not(), node.test), "negated condition"


def _steps(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, STEPS):
        yield node, ast.Pass(), "no statement"
    elif isinstance(node, ast.Return) and not isinstance(node.value, ast.Constant | None):
        yield node, ast.Return(ast.Constant(None)), "returns None"
    elif isinstance(node, ast.Continue):
        yield node, ast.Break(), "break"


def _values(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.expr):
        for mutated in _expressions(node):
            yield node, mutated, f"{_symbol(node)} -> {_symbol(mutated)}"


def _symbol(node: ast.expr) -> str:
    """Return what an operator changes of an expression."""
    match node:
        case ast.Compare(ops=[operator]) | ast.BinOp(op=operator) | ast.BoolOp(op=operator):
            return type(operator).__name__
        case ast.Constant(value=value):
            return repr(value)
        case ast.Call(func=ast.Name(id=name)):
            return name
        case ast.UnaryOp(op=operator):
            return type(operator).__name__
    return "alone"


def _arguments(node: ast.AST) -> Iterator[Change]:
    """Conditions of writes, consistent reads, names of fields: an argument or a key that is not there."""
    match node:
        case ast.Call(keywords=keywords):
            for each in keywords:
                if each.arg and not _is_for_readers(each):
                    rest = [other for other in keywords if other is not each]
                    yield node, with_fields(node, keywords=rest), f"no {each.arg}="
        case ast.Dict(keys=keys, values=values) if keys:
            for place, key in enumerate(keys):
                if isinstance(key, ast.Constant):
                    fewer = [*keys[:place], *keys[place + 1 :]], [*values[:place], *values[place + 1 :]]
                    yield node, with_fields(node, keys=fewer[0], values=fewer[1]), f"no key {key.value!r}"
        case ast.List(elts=elements, ctx=ast.Load()) | ast.Tuple(elts=elements, ctx=ast.Load()) if len(elements) > 1:
            yield node, with_fields(node, elts=elements[:-1]), "without the last"
            yield node, with_fields(node, elts=elements[1:]), "without the first"


def _pages(node: ast.AST) -> Iterator[Change]:
    """Pages that nobody asks for, and elements that nobody takes."""
    match node:
        case ast.For(body=[*_, last] as body) if not isinstance(
            last, ast.Return | ast.Raise | ast.Continue | ast.Break
        ):
            yield node, with_fields(node, body=[*body, ast.Break()]), "one round"
        case ast.While(test=test, body=body, orelse=[]):
            yield node, ast.If(test, [*_without_breaks(body)], []), "one round"
        case ast.YieldFrom():
            yield node, ast.Yield(ast.Constant(None)), "nothing yielded"


def _without_breaks(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the body of a loop as that of an `if`, if it can be one."""
    jumps = (ast.Break, ast.Continue)
    return [ast.Pass()] if any(isinstance(each, jumps) for one in body for each in ast.walk(one)) else body


def _errors(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.ExceptHandler):
        if not (len(node.body) == 1 and isinstance(node.body[0], ast.Pass)):
            yield node, with_fields(node, body=[ast.Pass()]), "swallowed"
        if node.type is not None and not isinstance(node.type, ast.Name | ast.Attribute):
            assert isinstance(node.type, ast.Tuple)
            yield node, with_fields(node, type=node.type.elts[0]), "catches less"


def _units(node: ast.AST) -> Iterator[Change]:
    """Numbers in another unit, and texts that programs read: permissions, names of metrics, expressions."""
    match node:
        case ast.Constant(value=bool() | None):
            return
        case ast.Constant(value=int(value)) | ast.Constant(value=float(value)) if value > 4:
            yield node, ast.Constant(value * 60), f"{value!r} -> {value * 60!r}"
        case ast.Constant(value=str(value)) if not value.isidentifier() and value and not any(map(str.isspace, value)):
            if any(map(str.isalpha, value)):
                yield node, ast.Constant(f"{value}X"), f"{value!r} -> longer"


OPERATORS: tuple[Changing, ...] = (_values, _steps, _conditions, _arguments, _pages, _errors, _units)
"""Other comparisons, numbers and units; missing steps, arguments, keys, elements and pages; swallowed errors."""


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=[compared]) if type(compared) in COMPARED:
            yield with_fields(node, ops=[COMPARED[type(compared)]()])
        case ast.BinOp(op=computed) if type(computed) in COMPUTED:
            yield with_fields(node, op=COMPUTED[type(computed)]())
        case ast.BoolOp(op=joined):
            yield with_fields(node, op=ast.And() if isinstance(joined, ast.Or) else ast.Or())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield ast.Constant(2 * value or 1.0)
        case ast.Constant(value=str(value)) if value.isidentifier():  # a name, not a sentence
            yield ast.Constant(f"{value}X")
        case ast.Call(func=ast.Name(id=name)) if name in SWAPPED:
            yield with_fields(node, func=ast.Name(SWAPPED[name]))


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes that matter when the code runs, without docstrings, messages, and types."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "bases", "type_params"}:
            continue
        children = value if isinstance(value, list) else [value]
        if name == "args" and isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
            children = children[1:]
        for child in children:
            if not isinstance(child, ast.AST) or _is_for_readers(child):
                continue
            yield child
            yield from _nodes(child)


def _is_for_readers(node: ast.AST) -> bool:
    """Return whether only people and type checkers read a node, as `strict` of what the code has made equally long."""
    match node:
        case ast.keyword(arg="strict"):
            return True
        case ast.If(test=ast.Name(id=name)):
            return name == "TYPE_CHECKING"
        case ast.Assign(value=ast.Call(func=ast.Name(id=name))):
            return name == "TypeVar"
        case ast.Expr(value=value):
            return isinstance(value, ast.Constant)
    return isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom)
