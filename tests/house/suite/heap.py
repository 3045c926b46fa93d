"""Objects loaded before the first test are permanent: the garbage collector skips these million objects of modules."""

import gc

import pytest

THRESHOLDS = (50_000, 20, 50)
"""Python's own are for programs that stay small: every 700 new objects, which takes an eighth of the suite's time."""


def pytest_configure() -> None:
    gc.disable()  # imports and the collection of tests make hardly anything that could be freed


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    gc.enable()
    if not hasattr(config, "workerinput"):  # a process of pytest-xdist ends without a look at them: endings.py
        gc.unfreeze()  # extension modules report their permanent objects as leaks
