"""The threads that drive a batch: each takes a walk, scans its next page, gives it back, and so on."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from skipscan.aws.table import is_validation_error
from skipscan.batch import Batch, Request
from skipscan.page import Page


def drive(batch: Batch, scan: Callable[[Request], Page], threads: int) -> Exception | None:
    """Run a batch to its end; return the error that ended it early, if one did.

    After an error no walk has moved past a page that did not come, so what the batch holds by then is whole.
    """
    lock = Lock()
    errors: list[Exception] = []

    def take() -> Request | None:
        with lock:
            return batch.take()

    def walk_on() -> None:
        while (request := take()) is not None:
            step(request)

    def step(request: Request) -> None:  # a function, so that a page is gone before its walk's next one comes
        try:
            page = scan(request)
        except Exception as error:
            with lock:
                if not (is_validation_error(error) and batch.refuse(request)):
                    batch.stop()
                    errors.append(error)
            return
        with lock:
            try:
                batch.give(request, page)
            except Exception as error:
                batch.stop()
                errors.append(error)

    with ThreadPoolExecutor(threads, thread_name_prefix="walk") as pool:
        try:
            for walking in [pool.submit(walk_on) for _ in range(threads)]:
                walking.result()
        except BaseException:  # Ctrl-C: let the other threads end before it goes on its way
            batch.stop()
            raise
    return errors[0] if errors else None
