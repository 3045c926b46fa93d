"""States that no turn returned, by what was changed. A seal refuses any change: see `tests/unit/loop/test_seal.py`."""

from copy import deepcopy
from typing import Any

Document = dict[str, Any]
TAMPERINGS = ("another worker's", "segments forgotten", "cursor dropped", "keys miscounted", "field missing")


def tampered(state: Document, how: str) -> Document | None:
    """Return the state changed in one way, or `None` where it has nothing that could be changed so."""
    changed = deepcopy(state)
    match how:
        case "another worker's":
            changed["worker"] += 1
        case "keys miscounted":
            changed["counts"]["keys"] += 1
        case _ if not changed.get("cursors"):  # also where the checkpoint has them, because the state would be too long
            return None
        case "segments forgotten":
            changed["opened"] += 1
        case "cursor dropped":
            changed["cursors"] = changed["cursors"][1:]
        case "field missing":
            del changed["cursors"]
    return changed
