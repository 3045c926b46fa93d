"""The same seed makes the same examples, whatever else is loaded.

pytest-randomly prints the seed at the start of a run. `pytest --randomly-seed=N` runs the same again in the same order.
Hypothesis takes its examples from that seed as well. It also draws constants that it finds in modules of this project,
as far as they are loaded: a file alone would see other examples than the same file in the suite. So it is given none.
"""

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
        raise RuntimeError("this hypothesis finds constants in another way: look at tests/suite/seeds.py")
    setattr(providers, LOOKS_FOR_CONSTANTS, no_constants)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    forget_constants_of_modules()
    if config.getoption("hypothesis_seed", None) is None:
        core.global_force_seed = config.getoption("randomly_seed", None)
