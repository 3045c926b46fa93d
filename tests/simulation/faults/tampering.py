"""States that no turn returned: a cursor's bytes changed, another worker's, another run's."""

import base64
import json
import zlib
from collections.abc import Callable
from copy import deepcopy
from typing import Any

Document = dict[str, Any]


def _other_worker(state: Document) -> None:
    state["worker"] += 1


def _earlier_batch(state: Document) -> None:
    state["batch"] += 1


def _segments_forgotten(state: Document) -> None:
    state["opened"] += 1


def _cursor_dropped(state: Document) -> None:
    state["cursors"] = state["cursors"][1:]
    state["opened"] += 1


def _other_segment(state: Document) -> None:
    for cursor in state["cursors"]:
        cursor["segment"] += 1


def _byte_changed(state: Document) -> None:
    for cursor in state["cursors"]:
        if word := cursor.get("start_key"):
            middle = len(word) // 2
            cursor["start_key"] = word[:middle] + ("A" if word[middle] != "A" else "B") + word[middle + 1 :]


def _other_key(state: Document) -> None:
    """Another key of the same form, well packed."""
    for cursor in state["cursors"]:
        if "start_key" in cursor:
            values = json.loads(zlib.decompress(base64.b64decode(cursor["start_key"])))
            values[0] = {"S": "k5"}
            cursor["start_key"] = base64.b64encode(zlib.compress(json.dumps(values).encode())).decode()


def _unreported(state: Document) -> None:
    for cursor in state["cursors"]:
        if "reported" in cursor:
            cursor["reported"] = not cursor["reported"]


def _keys_miscounted(state: Document) -> None:
    state["counts"]["keys"] += 1


def _field_missing(state: Document) -> None:
    del state["cursors"]


def _other_type(state: Document) -> None:
    state["cursors"] = "none"


TAMPERINGS: dict[str, Callable[[Document], None]] = {
    change.__name__.strip("_").replace("_", " "): change
    for change in (
        _other_worker,
        _earlier_batch,
        _segments_forgotten,
        _cursor_dropped,
        _other_segment,
        _byte_changed,
        _other_key,
        _unreported,
        _keys_miscounted,
        _field_missing,
        _other_type,
    )
}


def tampered(state: Document, how: str) -> Document | None:
    """Return the state changed in one way, or `None` where it has nothing that could be changed so."""
    changed = deepcopy(state)
    try:
        TAMPERINGS[how](changed)
    except KeyError:  # the checkpoint has the field, because the state would be too long
        return None
    return None if changed == state else changed
