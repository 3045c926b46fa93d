"""ConditionExpression as the writers write it: tests of top-level attributes behind #placeholders.

They are joined by AND, or all by OR.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.fakes import number
from tests.fakes.attribute_value import AttributeValue, Item
from tests.fakes.error import validation_error

MOST_OPERATORS = 300  # of an expression, functions included

_TEST = re.compile(
    r"(?P<function>attribute_exists|attribute_not_exists)\((?P<path>#\w+)\)"
    r"|(?P<left>#\w+) (?P<operator>=|<>) (?P<right>:\w+)"
)


def condition(parameters: Mapping[str, Any], operation: str) -> Callable[[Item | None], bool]:
    """The condition of a write as a test of the item that is there; raises what the service raises.

    Other functions, operators and bare names are NotImplementedError.
    """
    expression = parameters.get("ConditionExpression")
    names, values = parameters.get("ExpressionAttributeNames"), parameters.get("ExpressionAttributeValues")
    if expression is None:
        for field, given in (("ExpressionAttributeNames", names), ("ExpressionAttributeValues", values)):
            if given is not None:
                raise validation_error(f"{field} can only be specified when using expressions", operation)
        return lambda _: True
    for field, given in (("ExpressionAttributeNames", names), ("ExpressionAttributeValues", values)):
        if given is not None and not given:
            raise validation_error(f"{field} must not be empty", operation)
    tests = []
    joined, holding = (" OR ", any) if " OR " in expression else (" AND ", all)
    for text in expression.split(joined):
        test = _TEST.fullmatch(text)
        if not test:
            raise NotImplementedError(f"The fake reads no condition like {text}")
        tests.append(test)
    if 2 * len(tests) - 1 > MOST_OPERATORS:  # a test each, and what joins them
        raise validation_error(
            "Invalid ConditionExpression: The expression contains too many operators; "
            f"operator count: {MOST_OPERATORS + 1}",
            operation,
        )
    _check_used("Names", set(names or {}), {t["path"] or t["left"] for t in tests}, operation)
    _check_used("Values", set(values or {}), {t["right"] for t in tests if t["right"]}, operation)

    def holds(item: Item | None) -> bool:
        return holding(_holds(test, item or {}, names or {}, values or {}) for test in tests)

    return holds


def same(one: AttributeValue, other: AttributeValue) -> bool:
    """Whether DynamoDB holds two values for equal: numbers by magnitude, sets in any order."""
    return _comparable(one) == _comparable(other)


def _holds(test: re.Match[str], item: Item, names: Mapping[str, str], values: Mapping[str, AttributeValue]) -> bool:
    if test["function"]:
        return (names[test["path"]] in item) == (test["function"] == "attribute_exists")
    found = item.get(names[test["left"]])
    return (found is not None and same(found, values[test["right"]])) == (test["operator"] == "=")


def _check_used(what: str, given: set[str], used: set[str], operation: str) -> None:
    if missing := used - given:
        raise validation_error(
            f"Invalid ConditionExpression: An expression attribute {what[:-1].lower()} used in expression is not "
            f"defined; attribute {what[:-1].lower()}: {sorted(missing)[0]}",
            operation,
        )
    if unused := given - used:
        raise validation_error(
            f"Value provided in ExpressionAttribute{what} unused in expressions: keys: {{{', '.join(sorted(unused))}}}",
            operation,
        )


def _comparable(value: AttributeValue) -> object:
    [(kind, content)] = value.items()
    match kind:
        case "N":
            return kind, number.parse(content)
        case "NS":
            return kind, frozenset(map(number.parse, content))
        case "SS" | "BS":
            return kind, frozenset(content)
        case "L":
            return kind, [_comparable(member) for member in content]
        case "M":
            return kind, {name: _comparable(member) for name, member in content.items()}
    return kind, content
