"""What is loaded before the first test stays: the garbage collector looks no more at a million objects of modules."""

import gc


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
