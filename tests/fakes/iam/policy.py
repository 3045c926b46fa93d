"""What policies allow: as much of IAM's evaluation as Skipscan's policies use, and no more."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Need:
    """What a call must be allowed: an action on a resource, in a context of condition keys."""

    action: str
    resource: str
    context: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Grant:
    """One action on one resource of a statement: the smallest thing that a policy can do without."""

    effect: str
    action: str
    resource: str
    conditions: tuple[tuple[str, str, tuple[str, ...]], ...] = ()

    def covers(self, need: Need) -> bool:
        return (
            matches(self.action, need.action)
            and matches(self.resource, need.resource)
            and all(_holds(*condition, dict(need.context)) for condition in self.conditions)
        )


def is_allowed(need: Need, grants: Iterable[Grant]) -> bool:
    """Return whether some grant allows it and none denies it."""
    effects = {grant.effect for grant in grants if grant.covers(need)}
    return effects == {"Allow"}


def grants_in(document: Mapping[str, Any]) -> Iterator[Grant]:
    """Return the grants of a policy document of which all values are texts."""
    for statement in document["Statement"]:
        conditions = tuple(
            (operator, key, tuple(sorted(str(one) for one in listed(value))))
            for operator, compared in statement.get("Condition", {}).items()
            for key, value in compared.items()
        )
        for action in listed(statement["Action"]):
            for resource in listed(statement["Resource"]):
                yield Grant(statement["Effect"], action, resource, conditions)


def matches(pattern: str, text: str) -> bool:
    parts = [re.escape(part).replace(r"\?", ".") for part in pattern.split("*")]
    return re.fullmatch(".*".join(parts), text, re.DOTALL) is not None


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _holds(operator: str, key: str, values: tuple[str, ...], context: Mapping[str, str]) -> bool:
    held = context.get(key)
    match operator:
        case "Null":
            return (held is None) is (values == ("true",))
        case "ForAllValues:StringEquals":  # true of a key that the request has not, too
            return {*(held or "").split("\n")} - {""} <= {*values}
        case "StringEquals" | "Bool":
            return held in values
        case "StringLike" | "ArnLike":
            return held is not None and any(matches(value, held) for value in values)
        case "NumericLessThan":
            return held is not None and any(float(held) < float(value) for value in values)
    raise NotImplementedError(operator)
