"""The condition that an item has certain attribute values, and how many it may have."""

from collections.abc import Collection

from skipscan.errors import OMITTED, InputError

EXPRESSION_OPERATORS = 300
"""The most operators and functions of an expression (developer guide, "Service, account, and table quotas", which names
update expressions only; DynamoDB refuses conditions, too: "The expression contains too many operators; operator count:
301"). AND counts like a comparison: scylladb/scylladb, test/alternator, test_deeply_nested_expression_2. So many take
less than the 4 KB that an expression may have.
"""

EQUALITY_ATTRIBUTES = (EXPRESSION_OPERATORS - 1) // 2
"""The most attributes that one condition compares: each takes a comparison and an AND, beside attribute_exists."""


def equality(attributes: int) -> str:
    """Return the condition that an item exists and has so many attribute values.

    `#k` stands for a key attribute, `#a0` for an attribute's name, `:a0` for its value, and so on.
    """
    return " AND ".join(["attribute_exists(#k)", *(f"#a{number} = :a{number}" for number in range(attributes))])


def check_equality(names: Collection[str], what: str) -> None:
    """Raise `InputError` for more attributes than one condition can hold. `what`: what needs the condition."""
    if len(names) > EQUALITY_ATTRIBUTES:
        raise InputError(
            what,
            OMITTED,
            f"has {len(names)} attributes to compare; DynamoDB allows {EXPRESSION_OPERATORS} operators in a "
            f"condition, which compare {EQUALITY_ATTRIBUTES} attributes",
            "compare fewer",
        )
