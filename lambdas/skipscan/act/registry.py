"""Every action by its name: the only list to which a new action is added."""

from collections.abc import Mapping
from typing import Any

from skipscan.act.action import Action, ActionRequest
from skipscan.act.actions.delete_item import DeleteItem
from skipscan.act.actions.invoke import Invoke
from skipscan.act.actions.put_item import PutItem
from skipscan.act.actions.send import Send
from skipscan.act.actions.undo import Undo
from skipscan.errors import InputError, listed
from skipscan.inputs.field import short

ACTIONS: dict[str, type[Action]] = {kind.name: kind for kind in (PutItem, DeleteItem, Invoke, Send, Undo)}


def action_to_json(action: Action) -> dict[str, Any]:
    return {action.name: action.to_json()}


def action_from_json(document: Mapping[str, Any]) -> Action:
    """Return the action of a document {"<name>": {...}}; raise `InputError` for an invalid one."""
    ((name, content),) = document.items()
    return _short(ACTIONS[name].parse(content))


def requested_action(document: Mapping[str, object]) -> ActionRequest:
    """Return the one action of an input; raise `InputError` for none or several."""
    if len(document) != 1:
        stated = *listed(document, " and "), " are" if document else "no action is"
        raise InputError(
            (*stated, " given; a job has exactly one action"), remedy=("give one of ", *listed(ACTIONS, ", "))
        )
    ((name, content),) = document.items()
    action = ACTIONS[name].requested(content)
    return _short(action) if isinstance(action, Action) else action


def _short(action: Action) -> Action:
    short(action.name, action.to_json())
    return action
