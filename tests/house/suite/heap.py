"""Objects loaded before the first test are permanent: the garbage collector skips these million objects of modules."""

import gc


def pytest_configure() -> None:
    gc.disable()  # imports and the collection of tests make hardly anything that could be freed


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    gc.enable()
    gc.unfreeze()  # extension modules report their permanent objects as leaks
