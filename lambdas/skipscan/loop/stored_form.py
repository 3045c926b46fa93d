"""The number of the form in which plans, states, checkpoints and manifests are written.

Whoever reads one checks the number first, so that work begun by another version is refused in words and never misread.
Golden files in the tests pin what each form looks like.
"""

from collections.abc import Mapping
from typing import Any

from skipscan.errors import StateError

FORM = 1
FIELD = "form"


def stamped(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the number of its form, first."""
    return {FIELD: FORM, **document}


def check_form(document: Mapping[str, Any], what: str) -> None:
    """Raise `StateError` unless this version can read the document. `what`: how messages call it."""
    form = document.get(FIELD)
    if form != FORM:
        raise StateError(
            f"{what} has form {form if isinstance(form, int) else 'unknown'}, and this version of Skipscan reads form "
            f"{FORM}: finish the work with the version that began it, or start it anew"
        )
