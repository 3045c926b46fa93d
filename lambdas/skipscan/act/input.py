"""The input of a job over a finished run, with its rules, and every action by its name.

Plan checks what depends on the table and the run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from skipscan import form
from skipscan.act.action import Action, ActionRequest
from skipscan.act.actions.delete_item import DeleteItem
from skipscan.act.actions.delete_listed import DeleteListed, PutBack
from skipscan.act.actions.hand_over import Invoke, Send
from skipscan.act.actions.put_item import PutItem, Undo, UndoOf
from skipscan.errors import InputError, give, leave_out, named
from skipscan.inputs import fields
from skipscan.inputs.field import short, without_nulls
from skipscan.inputs.fields import Field, Form, OptionGroup, read_input

AnyAction = PutItem | DeleteItem | DeleteListed | Invoke | Send | Undo | PutBack
DECIDED: dict[str, type[Action]] = {kind.name: kind for kind in get_args(AnyAction)}
"""Every action that a plan can have."""

ACTIONS = {name: kind for name, kind in DECIDED.items() if kind is not PutBack}
"""Those that an input names; an undo puts items back where its job has deleted them."""


def requested_action(document: Mapping[str, object]) -> ActionRequest:
    """Return the one action of an input; raise `InputError` for none or several."""
    if len(document) != 1:
        raise InputError(
            " and ".join(map(named, document)) or "no action",
            rule=f"{'are' if document else 'is'} given; a job has exactly one action",
            remedy=f"give one of {', '.join(map(named, ACTIONS))}",
        )
    ((name, content),) = document.items()
    action = ACTIONS[name].parse(content)
    short(name, form.write(action))
    return action


EXAMPLE = '{"table": "Orders", "run": "<its run>", "put_item": {"item": {"sk": "#static"}}}'
BOUNDS = ("max_write_units_per_second", "max_write_units", "max_dollars", "max_keys_per_second")


@dataclass(frozen=True)
class ActionInput:
    """A person's choices for a job; `None`: Plan chooses. `action`: `None` for a resumed job.

    `skips_ended`: before each action, check that the item collection still has an item.
    """

    table: str
    run: str
    action: ActionRequest | None
    skips_ended: bool
    dry_run: bool = True
    show_items: bool = False
    workers: int | None = None
    max_write_units_per_second: float | None = None
    max_write_units: float | None = None
    max_dollars: float | None = None
    max_keys_per_second: float | None = None
    without_recovery: bool = False
    no_writes_elsewhere: bool = False
    resume: str | None = None


FIELDS = (
    Field(
        "table",
        fields.TABLE,
        "The table's name or ARN",
        need=("a job acts on the keys of a finished run", "name the table, or its ARN, that the run was started with"),
    ),
    Field(
        "run",
        fields.name("the name of a finished run, which is its execution's name"),
        "The finished run with the keys to act on",
        need=("a job acts on the keys of a finished run", f"write it like {give('run', '<its run>')}"),
    ),
    *(
        Field(
            action.name,
            Form(lambda name, value: value, {"type": "string" if action.metavar == "JOB" else "object"}),
            action.summary.removesuffix("."),
            is_fixed=True,
            metavar=action.metavar,
            group=OptionGroup.WRITE,
        )
        for action in ACTIONS.values()
    ),
    Field(
        "skip_ended",
        fields.FLAG,
        "Check before each action that the item collection still has an item (takes a read for each key)",
        default=False,
        is_fixed=True,
        group=OptionGroup.WRITE,
    ),
    fields.PREVIEW,
    fields.SHOW_ITEMS,
    fields.workers(fields.MAX_JOB_WORKERS, "job"),
    fields.MAX_WRITE_UNITS_PER_SECOND,
    fields.MAX_WRITE_UNITS,
    fields.MAX_DOLLARS,
    Field(
        "max_keys_per_second",
        fields.amount_form(0.1),
        "Maximum rate of invoke and send, in keys per second",
        group=OptionGroup.SPEND,
    ),
    *fields.UNPROTECTED,
    fields.resume_field("job"),
)


def parse_action(document: object) -> ActionInput:
    """Return the checked input; raise `InputError` with the field, the rule and the way out."""
    values = read_input(FIELDS, document, label="job", example=EXAMPLE)
    chosen = without_nulls({name: values.pop(name) for name in ACTIONS})
    action = None if values["resume"] else requested_action(chosen)
    action_input = ActionInput(action=action, skips_ended=values.pop("skip_ended"), **values)
    if action is not None:
        check_bounds(action_input, action)
    if action_input.skips_ended and isinstance(action, UndoOf | DeleteListed):
        what = "an undo" if isinstance(action, UndoOf) else action.name
        rule = f"{what} checks every item that it deletes anyway"
        raise InputError("skip_ended", True, rule, leave_out("skip_ended"))
    return action_input


def check_bounds(action_input: ActionInput, action: ActionRequest) -> None:
    """Raise `InputError` for a bound that does not apply to the action."""
    for name in BOUNDS[3:] if action.writes else BOUNDS[:3]:
        if getattr(action_input, name) is not None:
            kind = "a writing job" if action.writes else action.name
            other = "max_write_units_per_second" if action.writes else "max_keys_per_second"
            raise InputError(
                name,
                getattr(action_input, name),
                f"it has no meaning for {kind}",
                f"leave it out, or use {named(other)}",
            )
