"""Objects loaded before the first test are permanent: the garbage collector skips these million objects of modules."""

import gc

import pytest

THRESHOLDS = (700, 50, 200)
"""Few objects outlive a test, and with Python's own thresholds to look at those takes a tenth of the time.

The first is Python's: 700 young objects are still in the processor's cache.
"""


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
