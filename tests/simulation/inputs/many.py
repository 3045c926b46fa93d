"""How hypothesis tries thousands of inputs: the same ones every time, and none kept."""

from hypothesis import HealthCheck, Phase, settings

from tests.house.suite.examples import examples


def many(number: int) -> settings:
    return settings(
        max_examples=examples(number),
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
