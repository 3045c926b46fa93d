"""Pages that wait as bytes, read by boto3 or by the lean client.

boto3 makes objects of an answer at once, which take up to a hundred times its bytes. So one thread at a time does that,
and packs them again until its batch reads the page.
"""

import marshal
from collections.abc import Callable, Mapping
from threading import Lock, local
from types import SimpleNamespace
from typing import Any

from skipscan.aws.answer import parse_page
from skipscan.dynamodb.page import Page
from skipscan.loop.run_batch import Unread

_parsing, _thread = Lock(), local()


def _wait_to_parse(**_event: object) -> None:
    """Let one thread at a time make objects of a page. Handles `before-parse`."""
    if getattr(_thread, "reads_a_page", False) and not _thread.parses:
        _parsing.acquire()
        _thread.parses = True


def packed(read: Callable[[], Mapping[str, Any] | None]) -> Callable[[], Mapping[str, Any]] | None:
    """Return the function that returns the answer of boto3 that `read` returned, kept as bytes until then."""
    _thread.reads_a_page, _thread.parses = True, False
    try:
        answer = read()
        if answer is None:
            return None
        rest = {**answer}
        items = [marshal.dumps(item) for item in rest.pop("Items")] if isinstance(rest.get("Items"), list) else None
        del answer
    finally:
        if _thread.parses:
            _parsing.release()
        _thread.reads_a_page = False
    return lambda: rest if items is None else {**rest, "Items": [*map(marshal.loads, items)]}


def unread(client: Any) -> Any:
    """Return a client for Scan and Query whose answers are for `page_of`: functions, which make objects of bytes."""
    if (ours := getattr(client, "unread", None)) is not None:
        return ours
    one_parses_at_a_time(client)
    return SimpleNamespace(
        scan=lambda **parameters: packed(lambda: client.scan(**parameters)),
        query=lambda **parameters: packed(lambda: client.query(**parameters)),
    )


def one_parses_at_a_time(client: Any) -> None:
    """Let the threads that read pages by a client of boto3 wait for each other. A stand-in for one has no events."""
    if (events := getattr(getattr(client, "meta", None), "events", None)) is not None:
        for operation in ("Scan", "Query"):  # before `extract_items`, which makes objects, too
            event = f"before-parse.dynamodb.{operation}"
            events.register_first(event, _wait_to_parse, unique_id=f"skipscan-{operation}-parsed-alone")


def page_of(
    answer: Mapping[str, Any] | Callable[[], Mapping[str, Any]], parse: Callable[[Mapping[str, Any]], Page] = parse_page
) -> Page | Unread:
    """Return the page in an answer of a client that `unread` returned."""
    return Unread(lambda: parse(answer())) if callable(answer) else parse(answer)
