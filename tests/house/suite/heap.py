"""Objects loaded before the first test are permanent: the garbage collector skips these million objects of modules."""

import atexit
import gc
import os

import pytest

THRESHOLDS = (700, 50, 200)
"""Few objects outlive a test, and with Python's own thresholds to look at those takes a tenth of the time.

The first is Python's: 700 young objects are still in the processor's cache.
"""


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # imports and the collection of tests make hardly anything that could be freed
    if hasattr(config, "workerinput"):
        # The first to be registered is the last to be called. To free the objects one by one would take seconds.
        atexit.register(os._exit, 0)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    gc.enable()
    if not hasattr(config, "workerinput"):  # a process of pytest-xdist ends without a look at them
        gc.unfreeze()  # extension modules report their permanent objects as leaks
