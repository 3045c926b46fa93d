"""Small random changes of code, as mutation testing makes them: another comparison, another number, a step left out."""

import ast
import copy
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.nodes import AddressError

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


@dataclass(frozen=True)
class Variation:
    """One place of a source that reads otherwise. `text`: the whole source then.

    `name`: of the change, in words of the code. It holds as long as its line does, wherever in the file the line is.
    """

    path: Path
    line: int
    name: str
    text: str


def defining(name: str, sources: Mapping[Path, str]) -> Path:
    """Return the one source that defines that at its top; raise `AddressError` if none or several do.

    `name`: of a class or a function, or of a class and a method where several modules have a class of that name.
    """
    name, _, method = name.partition(".")
    found = [
        path
        for path, text in sources.items()
        if f"class {name}" in text or f"def {name}" in text
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name
        if not method or any(isinstance(inner, ast.FunctionDef) and inner.name == method for inner in node.body)
    ]
    if len(found) != 1:
        raise AddressError(f"{name} is defined in {len(found)} modules; name a class or function that one has")
    return found[0]


def changes(path: Path, text: str) -> Iterator[Variation]:
    """Return every change of a source that the operators below can make, in the order of its nodes."""
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for each in lines:
        starts.append(starts[-1] + len(each))
    content = text.encode()
    names: Counter[str] = Counter()
    for node, mutated in _mutated(ast.parse(text)):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        after = ast.unparse(mutated)
        if isinstance(mutated, ast.expr) and not isinstance(mutated, ast.Constant | ast.Name | ast.Call):
            after = f"({after})"
        code, before = lines[node.lineno - 1].decode().strip(), content[begin:end].decode()
        name = f"{path.as_posix()}: {code}: {_short(before)} -> {_short(after)}"
        names[name] += 1
        again = f" ({names[name]})" if names[name] > 1 else ""
        changed = (content[:begin] + after.encode() + content[end:]).decode()
        yield Variation(path, node.lineno, name + again, changed)


def _mutated(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """Return nodes below this one, each with a possible replacement. Types and texts for people stay."""
    for node in _nodes(tree):
        if isinstance(node, ast.expr):
            for mutated in _expressions(node):
                yield node, mutated
        elif isinstance(node, STEPS):
            yield node, ast.Pass()
        elif isinstance(node, ast.Return) and not isinstance(node.value, ast.Constant | None):
            yield node, ast.Return(ast.Constant(None))
        elif isinstance(node, ast.Continue):
            yield node, ast.Break()
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=[compared]) if type(compared) in COMPARED:
            yield _with(node, ops=[COMPARED[type(compared)]()])
        case ast.BinOp(op=computed) if type(computed) in COMPUTED:
            yield _with(node, op=COMPUTED[type(computed)]())
        case ast.BoolOp(op=joined):
            yield _with(node, op=ast.And() if isinstance(joined, ast.Or) else ast.Or())
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
            yield _with(node, func=ast.Name(SWAPPED[name]))


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes that matter when the code runs, without texts for people: docstrings and messages."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "bases", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_for_people(child):
                continue
            yield child
            yield from _nodes(child)


def _is_for_people(node: ast.AST) -> bool:
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name):
        return node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom)


def _with(node: ast.expr, **fields: object) -> ast.expr:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _short(text: str) -> str:
    return " ".join(text.split())[:110]
