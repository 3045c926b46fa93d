"""The condition that an item has certain attribute values, and how long it may be."""

from collections.abc import Collection

from skipscan.errors import InputError

EXPRESSION_BYTES = 4096
"""The longest expression in bytes (developer guide, "Service, account, and table quotas")."""


def equality(attributes: int) -> str:
    """Return the condition that an item exists and has so many attribute values.

    `#k` stands for a key attribute, `#a0` for an attribute's name, `:a0` for its value, and so on.
    """
    return " AND ".join(["attribute_exists(#k)", *(f"#a{number} = :a{number}" for number in range(attributes))])


def check_equality(names: Collection[str], what: str) -> None:
    """Raise `InputError` for more attributes than one condition can hold. `what`: what needs the condition."""
    size = len(equality(len(names)))
    if size > EXPRESSION_BYTES:
        most = next(count for count in range(len(names), 0, -1) if len(equality(count)) <= EXPRESSION_BYTES)
        raise InputError(
            f"{what} has {len(names)} attributes to compare, which makes a condition of {size:,} bytes; DynamoDB "
            f"allows {EXPRESSION_BYTES:,} bytes, about {most} attributes: compare fewer"
        )
