"""Every action by its name, and what each says of itself."""

from typing import Any

import pytest

from skipscan.act.input import ACTIONS, requested_action
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import InputError
from skipscan.inputs.field import MOST_STATE_BYTES
from skipscan.items.mark import MARK
from tests.fakes.actions import decided
from tests.refusal import refused

FUNCTION = "arn:aws:lambda:us-east-1:111111111111:function:receiver"
QUEUE = "arn:aws:sqs:us-east-1:111111111111:keys.fifo"
DOCUMENTS: dict[str, Any] = {
    "put_item": {"item": {"sk": "#static", "GSI-pk": "{pk}"}, "overwrite": True},
    "delete_item": {"key": {"sk": "#static"}, "if": {"state": "old"}},
    "delete_listed": {"max_deletes": 5},
    "invoke": {"function": FUNCTION, "keys_per_call": 7},
    "send": {"queue": QUEUE, "keys_per_message": 3},
    "undo": {"job": "first", "item": {"sk": "#static"}, "mark": "dev-0/first"},
}


def test_every_action_has_an_example_here() -> None:
    assert list(DOCUMENTS) == list(ACTIONS)


@pytest.mark.parametrize(
    ("name", "given", "field", "most"),
    [("invoke", {"function": FUNCTION}, "keys_per_call", 1_000), ("send", {"queue": QUEUE}, "keys_per_message", 1_000)],
)
def test_keys_handed_over_together_are_1_to_1000(name: str, given: dict[str, Any], field: str, most: int) -> None:
    for keys in (1, most):
        assert decided({name: {**given, field: keys}}).keys_together == keys
    for keys in (0, most + 1):
        with refused(InputError, f"{name}.{field}", keys, rule=f"1 to {most}$"):
            decided({name: {**given, field: keys}})


TABLE = Source("T-1", None, SourceKind.TABLE, (KeyAttribute("pk", "S"),), (KeyAttribute("sk", "S"),), ())
KEYS = (*TABLE.partition_key, *TABLE.sort_key, KeyAttribute("GSI-pk", "S"))


@pytest.mark.parametrize(
    ("name", "template", "place", "rule"),
    [
        ("put_item", {"sk": "x", "pk": "y"}, ".pk", "the table's partition key"),
        ("put_item", {"sk": "x", MARK: "y"}, f".{MARK}", "the mark"),
        ("put_item", {"pk": "x", "GSI-pk": "y"}, ".pk", "the table's partition key"),
        ("put_item", {"GSI-pk": "{pk}"}, ".sk", "^is missing; .* sort key"),
        ("put_item", {"sk": "{other}"}, "", r'"\{other\}"; only \{pk\}'),
        ("put_item", {"sk": "x", "GSI-pk": 7}, ".GSI-pk", "^is a number; .* a string"),
        ("delete_item", {"sk": 7}, ".sk", "^is a number; .* a string"),
        ("delete_item", {"other": "x"}, ".sk", "^is missing; .* sort key"),
        ("delete_item", {"sk": "x", "other": "x"}, ".other", "not the table's sort key"),
    ],
)
def test_a_template_must_make_items_that_fit_the_table(
    name: str, template: dict[str, Any], place: str, rule: str
) -> None:
    field = {"put_item": "item", "delete_item": "key"}[name]
    with refused(InputError, f"{name}.{field}{place}", rule=rule):
        decided({name: {field: template}}).check(TABLE, KEYS)


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
