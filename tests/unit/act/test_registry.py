"""Every action by its name, and what each says of itself."""

import json
from typing import Any

import pytest

from skipscan.act.action import Action, Delete, Put, Service, WritingAction
from skipscan.act.actions.put_item import UndoOf
from skipscan.act.input import ACTIONS, action_from_json, action_to_json, requested_action
from skipscan.errors import InputError
from skipscan.inputs.field import MOST_STATE_BYTES
from skipscan.items.mark import MARK
from tests.refusal import refused

FUNCTION = "arn:aws:lambda:us-east-1:111111111111:function:receiver"
QUEUE = "arn:aws:sqs:us-east-1:111111111111:keys.fifo"
DOCUMENTS: dict[str, Any] = {
    "put_item": {"item": {"sk": "#static", "GSI-pk": "{pk}"}, "overwrite": True},
    "delete_item": {"key": {"sk": "#static"}, "if": {"state": "old"}},
    "invoke": {"function": FUNCTION, "keys_per_call": 7},
    "send": {"queue": QUEUE, "keys_per_message": 3},
    "undo": {"job": "first", "item": {"sk": "#static"}, "mark": "dev-0/first"},
}
KEY = {"pk": {"S": "a"}}


def test_every_action_has_an_example_here() -> None:
    assert list(DOCUMENTS) == list(ACTIONS)


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_goes_through_json(name: str) -> None:
    action = action_from_json({name: DOCUMENTS[name]})
    assert action_from_json(json.loads(json.dumps(action_to_json(action)))) == action


@pytest.mark.parametrize("name", ACTIONS)
def test_what_an_action_needs_is_allowed_for_the_service_that_carries_it_out(name: str) -> None:
    action = action_from_json({name: DOCUMENTS[name]})
    assert {permission.partition(":")[0] for permission in action.permissions} == {action.service}
    assert action.writes == isinstance(action, WritingAction) == (action.service is Service.DYNAMODB)
    assert bool(action.targets) == (action.target is not None) == (not action.writes)
    assert not action.targets or action.targets.fullmatch(action.target or "")


def test_an_undo_deletes_what_the_put_of_that_job_put_and_nothing_else() -> None:
    put, undo = (
        action_from_json({"put_item": DOCUMENTS["put_item"]}),
        action_from_json({"undo": {"job": "first", "item": DOCUMENTS["put_item"]["item"], "mark": "dev-0/first"}}),
    )
    assert isinstance(put, WritingAction)
    assert isinstance(undo, WritingAction)
    made, taken = put.request(KEY, ["sk"], "dev-0/first"), undo.request(KEY, ["sk"], "second")
    assert isinstance(made, Put)
    assert isinstance(taken, Delete)
    assert {**taken.key, **taken.wanted} == made.item
    assert taken.key.keys() == {"pk", "sk"}
    assert taken.wanted[MARK] == {"S": "dev-0/first"}
    assert taken.whole


def test_an_undo_is_requested_by_the_name_of_the_job() -> None:
    assert requested_action({"undo": "first"}) == UndoOf("first")
    assert isinstance(requested_action({"send": DOCUMENTS["send"]}), Action)


@pytest.mark.parametrize("name", ACTIONS)
def test_a_mistake_names_the_action_that_it_is_in(name: str) -> None:
    with refused(InputError, name, 7):
        requested_action({name: 7})
    strange = {"strange": 1}
    with refused(InputError, name, strange) if name == "undo" else refused(InputError, '"strange"', rule=f"of {name} "):
        requested_action({name: strange})


@pytest.mark.parametrize(("names", "said"), [([], "no action"), (["put_item", "invoke"], "put_item and invoke")])
def test_a_job_does_one_thing(names: list[str], said: str) -> None:
    with refused(InputError, said, remedy=" ".join(ACTIONS), rule="one action"):
        requested_action({name: DOCUMENTS[name] for name in names})


def test_an_action_too_large_for_state_is_refused() -> None:
    with refused(InputError, "put_item", rule="has 32,808 bytes as JSON in ASCII; the state can hold 32,768"):
        requested_action({"put_item": {"item": {"sk": "x" * MOST_STATE_BYTES}}})


def test_an_action_says_what_its_writes_are_called_exactly_if_it_writes() -> None:
    assert [name for name, action in ACTIONS.items() if action.writes != bool(action.writes_are)] == []
