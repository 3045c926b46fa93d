"""A condition that an item has certain values, and the most of them that DynamoDB compares."""

from skipscan.dynamodb.equality import EQUALITY_ATTRIBUTES, EXPRESSION_OPERATORS, check_equality, equality
from skipscan.errors import InputError
from tests.refusal import refused


def test_each_value_is_compared_by_its_number() -> None:
    assert equality(0) == "attribute_exists(#k)"
    assert equality(2) == "attribute_exists(#k) AND #a0 = :a0 AND #a1 = :a1"


def test_the_most_attributes_have_no_more_operators_than_dynamodb_allows() -> None:
    def operators(attributes: int) -> int:
        return sum(equality(attributes).count(operator) for operator in ("attribute_exists", " AND ", " = "))

    assert operators(EQUALITY_ATTRIBUTES) <= EXPRESSION_OPERATORS < operators(EQUALITY_ATTRIBUTES + 1)


def test_one_attribute_more_is_refused_with_the_number() -> None:
    names = [f"a{number}" for number in range(EQUALITY_ATTRIBUTES + 1)]
    check_equality(names[1:], "the key")
    with refused(InputError, "the key", rule=f"has {len(names)} attributes to compare.* {EQUALITY_ATTRIBUTES} "):
        check_equality(names, "the key")
