"""States that no turn returned: a cursor's bytes changed, another worker's, another run's."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

Document = dict[str, Any]


def _other_worker(state: Document) -> None:
    state["worker"] += 1


def _segments_forgotten(state: Document) -> None:
    state["opened"] += 1


def _cursor_dropped(state: Document) -> None:
    state["cursors"] = state["cursors"][1:]
    state["opened"] += 1


def _byte_changed(state: Document) -> None:
    for cursor in state["cursors"]:
        if word := cursor.get("start_key"):
            middle = len(word) // 2
            cursor["start_key"] = word[:middle] + ("A" if word[middle] != "A" else "B") + word[middle + 1 :]


def _keys_miscounted(state: Document) -> None:
    state["counts"]["keys"] += 1


def _field_missing(state: Document) -> None:
    del state["cursors"]


def _other_type(state: Document) -> None:
    state["cursors"] = "none"


TAMPERINGS: dict[str, Callable[[Document], None]] = {
    change.__name__.strip("_").replace("_", " "): change
    for change in (
        *(_other_worker, _segments_forgotten, _cursor_dropped, _byte_changed),
        *(_keys_miscounted, _field_missing, _other_type),
    )
}
"""A seal refuses each: these are what a state consists of."""


def tampered(state: Document, how: str) -> Document | None:
    """Return the state changed in one way, or `None` where it has nothing that could be changed so."""
    changed = deepcopy(state)
    try:
        TAMPERINGS[how](changed)
    except KeyError:  # the checkpoint has the field, because the state would be too long
        return None
    return None if changed == state else changed
