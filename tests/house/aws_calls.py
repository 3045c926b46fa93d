"""Where the product calls AWS, asks again after a refusal, and waits: found in its syntax trees.

A place is a function, named `module:Class.method`, or `module:function.inner` for one inside another.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from botocore import xform_name
from botocore.session import Session

ROOT = Path(__file__).parents[2]
ROOMS = ("lambdas/handlers", "lambdas/skipscan", "infra", "tools/verify")
"""`local` calls an emulator, which it starts itself."""

CLIENTS = ("skipscan.aws.lean", "skipscan.aws.unread")
"""Clients themselves: what they offer is called elsewhere."""

SERVICES = (
    *(
        "cloudformation",
        "cloudwatch",
        "dynamodb",
        "dynamodbstreams",
        "kms",
        "lambda",
        "pricing",
        "s3",
    ),
    *("sqs", "stepfunctions", "sts"),
)
"""Those that the product makes clients of; test_aws_calls.py compares them with the calls that make clients."""

REFUSALS = {"BatchError", "BotoCoreError", "ClientError", "Exception", "exceptions"}
"""What handlers name that catch refusals; `exceptions` are a client's."""

RETRIERS = {"retrying", "paced"}
"""Our functions that repeat what they are given."""

TOKENS = ("NextToken", "nextToken", "Marker", "ContinuationToken", "Exclusive")
"""The beginning or end of the names of parameters that ask for another page."""


ANY = "*"


@dataclass(frozen=True, order=True)
class Call:
    """A call of a client's method. `operation`: AWS's name of it, `ANY` of a paginator that is an argument's."""

    place: str
    operation: str
    line: int


@dataclass(frozen=True, eq=False)
class Source:
    """`module`: its name when imported."""

    path: Path
    module: str
    tree: ast.Module


@cache
def models() -> dict[str, Any]:
    session = Session()
    return {service: session.get_service_model(service) for service in SERVICES}


@cache
def operations() -> dict[str, str]:
    """Return the operations of all services by the names of the client's methods."""
    return {xform_name(name): name for model in models().values() for name in model.operation_names}


@cache
def tokens(operation: str) -> frozenset[str]:
    """Return the parameters of an operation that ask for another page; none if it has no pages.

    Those of botocore's paginators, those that are named like theirs, and an iterator that an answer goes on with.
    """
    found: set[str] = set()
    for service, model in models().items():
        if operation not in model.operation_names:
            continue
        shapes = model.operation_model(operation)
        asked = set(shapes.input_shape.members) if shapes.input_shape else set()
        answered = set(shapes.output_shape.members) if shapes.output_shape else set()
        given = _paginators(service).get(operation, {}).get("input_token", [])
        found |= {given} if isinstance(given, str) else set(given)
        found |= {name for name in asked if name.startswith(TOKENS) or name.endswith(TOKENS)}
        found |= {name for name in asked if f"Next{name}" in answered}
    return frozenset(found)


@cache
def _paginators(service: str) -> dict[str, Any]:
    session = Session()
    found: dict[str, Any] = session.get_component("data_loader").load_service_model(service, "paginators-1")
    return found["pagination"]  # type: ignore[no-any-return]


@cache
def sources() -> tuple[Source, ...]:
    paths = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    return tuple(source(path) for path in paths if not module_of(path).startswith(CLIENTS))


@cache
def source(path: Path) -> Source:
    return Source(path, module_of(path), ast.parse(path.read_bytes()))


def module_of(path: Path) -> str:
    """Return the name that a file of the product is imported by."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removeprefix("lambdas.").removeprefix("tools.").removesuffix(".__init__")


def calls() -> list[Call]:
    """Return every call of a method that is named like an operation, and every paginator."""
    return sorted({call for source in sources() for call in _calls(source)})


def _calls(source: Source) -> Iterator[Call]:
    kept = dict(_kept(source.tree))
    called = {id(node.func) for node in ast.walk(source.tree) if isinstance(node, ast.Call)}
    for place, node in placed(source):
        match node:
            case ast.Call(func=ast.Attribute(attr="get_paginator"), args=[ast.Constant(value=str(name))]):
                yield Call(place, operations()[name], node.lineno)
            case ast.Call(func=ast.Attribute(attr="get_paginator")):
                yield Call(place, ANY, node.lineno)
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Name(id="self"))) if name in kept:
                yield Call(place, kept[name], node.lineno)
            case ast.Attribute(attr=name, value=receiver) if id(node) in called:
                if name in operations() and _may_be_client(receiver):
                    yield Call(place, operations()[name], node.lineno)


def _kept(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the attributes that keep a client's method, as `self._scan = client.scan` does, with its operation."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Attribute):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Attribute) and node.value.attr in operations():
                    yield target.attr, operations()[node.value.attr]


def _may_be_client(receiver: ast.expr) -> bool:
    """Return whether a method's object may be a client: not `super()`, and no object of a class of ours."""
    match receiver:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name != "super" and not name[0].isupper()
    return True


def services() -> set[str]:
    """Return the services that the product names where it makes a client."""
    known = set(Session().get_available_services())
    found: set[str] = set()
    for source in sources():
        for node in ast.walk(source.tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)):
                inside = [*ast.walk(node)]
                if any(isinstance(one, ast.Attribute) and one.attr in {"client", "make", "single"} for one in inside):
                    found |= {str(one.value) for one in inside if isinstance(one, ast.Constant)} & known
    return found


def retries() -> set[str]:
    """Return the places where AWS is asked again: a loop goes on after a refusal, or a function of ours repeats."""
    return {
        place
        for source in sources()
        for place, node in placed(source)
        if (isinstance(node, (ast.For, ast.While)) and any(_goes_on(inner) for inner in ast.walk(node)))
        or (isinstance(node, ast.Call) and not RETRIERS.isdisjoint(_names(node.func)))
    }


def _goes_on(node: ast.AST) -> bool:
    match node:
        case ast.ExceptHandler(type=ast.expr() as caught, body=[*_, last]):
            return not REFUSALS.isdisjoint(_names(caught)) and not isinstance(last, (ast.Raise, ast.Return, ast.Break))
        case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Name(id="suppress"), args=caught))]):
            return any(not REFUSALS.isdisjoint(_names(one)) for one in caught)
    return False


def _names(node: ast.AST) -> set[str]:
    """Return the names in an expression, of attributes and of what they belong to."""
    parts = [*ast.walk(node)]
    return {part.id for part in parts if isinstance(part, ast.Name)} | {
        part.attr for part in parts if isinstance(part, ast.Attribute)
    }


def waits() -> set[str]:
    """Return the places that let time go by."""
    return {place for source in sources() for place in lines_of_waits(source)}


@cache
def lines_of_waits(source: Source) -> dict[str, set[int]]:
    """Return the lines on which a module waits, by their places."""
    found: dict[str, set[int]] = {}
    for place, node in placed(source):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in {"sleep", "_sleep"}:
                found.setdefault(place, set()).update(_lines(node))
            case ast.Call(func=ast.Attribute(attr="wait", value=ast.Call(func=ast.Attribute(attr="get_waiter")))):
                found.setdefault(place, set()).update(_lines(node))
    return found


def _lines(node: ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def placed(source: Source) -> Iterator[tuple[str, ast.AST]]:
    """Yield every node of a module's functions with its place."""
    yield from _inside(source.tree, source.module, ":")


def _inside(node: ast.AST, name: str, joint: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            yield from _inside(child, f"{name}{joint}{child.name}", ".")
        else:
            if joint == ".":
                yield name, child
            yield from _inside(child, name, joint)


def paginated() -> set[str]:
    """Return the places that call an operation which has pages."""
    return {call.place for call in calls() if call.operation == ANY or tokens(call.operation)}


def makers() -> set[str]:
    """Return the places that make a client of a service, by boto3 or by `clients.make`."""
    return {
        place
        for source in sources()
        for place, node in placed(source)
        if isinstance(node, ast.Call) and _makes(node.func, is_own=source.module == "skipscan.aws.clients")
    }


def _makes(called: ast.expr, *, is_own: bool) -> bool:
    match called:
        case ast.Attribute(attr="client", value=ast.Name(id="session") | ast.Attribute(attr="session")):
            return True
        case ast.Attribute(attr="make", value=ast.Name(id="clients")):
            return True
        case ast.Name(id="make"):
            return is_own
    return False
