"""Objects loaded before the first test are permanent: the garbage collector skips these million objects of modules."""

import gc


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    gc.unfreeze()  # extension modules report their permanent objects as leaks
