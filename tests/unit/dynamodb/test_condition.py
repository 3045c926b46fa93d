"""The most attribute values that DynamoDB compares in a condition."""

from skipscan.dynamodb.equality import EQUALITY_ATTRIBUTES, check_equality
from skipscan.errors import InputError
from tests.refusal import refused


def test_one_attribute_more_is_refused_with_the_number() -> None:
    names = [f"a{number}" for number in range(EQUALITY_ATTRIBUTES + 1)]
    check_equality(names[1:], "the key")
    with refused(InputError, "the key", rule=f"has {len(names)} attributes to compare.* {EQUALITY_ATTRIBUTES} "):
        check_equality(names, "the key")
