"""The same seed makes the same examples, independent of other loaded modules."""

import pytest
from hypothesis import core
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

LOOKS_FOR_CONSTANTS = "_get_local_constants"
NONE = Constants()


def no_constants() -> Constants:
    return NONE


def forget_constants_of_modules() -> None:
    """Have hypothesis look for no constants in modules, which takes it seconds; there is no setting for it."""
    if not callable(getattr(providers, LOOKS_FOR_CONSTANTS, None)):
        raise RuntimeError("this hypothesis finds constants in another way: look at tests/house/suite/seeds.py")
    setattr(providers, LOOKS_FOR_CONSTANTS, no_constants)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    forget_constants_of_modules()
    if config.getoption("hypothesis_seed", None) is None:
        core.global_force_seed = config.getoption("randomly_seed", None)
