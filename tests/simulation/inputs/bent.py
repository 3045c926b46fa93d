"""Invalid values: strategies that start from a valid value and change it, and how thousands of them are tried."""

from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tests.house.suite.examples import examples

LONG = "x" * (256 << 10)
LOOK_ALIKES = str.maketrans({"a": "\u0430", "e": "\u0435", "o": "\u043e", "s": "\u0455", "i": "\u0456", "1": "\uff11"})


def nested(depth: int, *, in_objects: bool) -> Any:
    value: Any = None
    for _ in range(depth):
        value = {"a": value} if in_objects else [value]
    return value


EXTREME = [
    *(None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 10**309, -(10**400), 10**4000, 10**5000),
    *(0.0, -0.0, 0.5, 1e-320, 1e15, 1.0000001e15, 1.7e308, float("nan"), float("inf"), float("-inf")),
    *("", " ", "\0", "null", "true", "NaN", "0", "1", "\u0661", "1e3", "..", "../..", "/", "\\", "a/b", "%2e%2e", "'"),
    *(
        '"',
        "`id`",
        "$(id)",
        "${jndi:x}",
        "\n",
        "\r\n",
        "\u2028",
        "\x85",
        "\x1b[31m",
        "\u202e",
        "\ud800",
        "\udfff\ud800",
    ),
    *("\U0010ffff", "\ufeff", LONG, "\u0000" * 300, [], {}, [[]], [None], {"table": "Orders"}, {"": ""}, ["Orders"]),
    *(nested(50, in_objects=True), nested(900, in_objects=False), nested(20_000, in_objects=True)),
]

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


def _extreme(place: int) -> Any:
    return EXTREME[place]


EXTREMES = st.integers(0, len(EXTREME) - 1).map(_extreme)  # by their places, because hypothesis cannot print them all
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | EXTREMES
ANYTHING = SCALARS | st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3), max_leaves=4
)


def near(word: str) -> st.SearchStrategy[str]:
    """Return a word that is nearly that one."""
    half = len(word) // 2
    bent = [word.upper(), word.title(), word + "s", word[:-1], " " + word, word + " ", word + "\n", word + "\u200b"]
    bent += [word.translate(LOOK_ALIKES), word[half:] + word[:half], word.replace("_", "-"), word * 2, f"{word}.{word}"]
    bent += [word[:half] + word[half + 1 :], f"{word}\0", f'"{word}"']
    return st.sampled_from([each for each in bent if each != word])


def arns() -> st.SearchStrategy[str]:
    """Return ARNs that are no table's, or another's."""
    return st.builds(
        "{}:{}:{}:{}:{}:{}".format,
        st.sampled_from(["arn", "ARN", "", "urn"]) | st.just("arn"),
        st.sampled_from(["aws", "aws-cn", "aws-us-gov", "AWS", "gcp", ""]) | st.just("aws"),
        st.sampled_from(["dynamodb", "s3", "dax", "DynamoDB"]) | st.just("dynamodb"),
        st.sampled_from(["us-east-1", "eu-west-1", "cn-north-1", "", "us_east_1", "us-east-\u0661"]),
        st.sampled_from(["000000000000", "123456789012", "1234", "", "\u0660" * 12]),
        st.sampled_from(
            ["table/Orders", "table/", "Orders", "table/Orders/index/by-day", "table/Orders/stream/x", "table/../x"]
        ),
    )


def many(number: int) -> settings:
    """Return how hypothesis tries so many inputs: the same ones every time, and none kept."""
    return settings(
        max_examples=examples(number),
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
