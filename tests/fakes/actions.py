"""An action as Plan decides it."""

from collections.abc import Mapping
from typing import Any

from skipscan import form
from skipscan.act.actions.delete_listed import PutBack
from skipscan.act.actions.put_item import Undo
from skipscan.act.input import AnyAction, requested_action


def decided(document: Mapping[str, Any]) -> AnyAction:
    """Return the action of an input; of an undo, which Plan looks up, the action as a plan has it."""
    if "undo" in document:
        return form.read(Undo, document["undo"])
    if "put_back" in document:
        return form.read(PutBack, document["put_back"])
    action = requested_action(document)
    assert isinstance(action, AnyAction)
    return action
