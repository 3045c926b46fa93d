"""The input of a job over a finished run, and its rules. Plan checks what depends on the table and the run."""

from dataclasses import dataclass

from skipscan.act.action import Asked
from skipscan.act.actions.undo import UndoOf
from skipscan.act.registry import ACTIONS
from skipscan.act.registry import asked as asked_action
from skipscan.errors import OMITTED, InputError, give, leave_out, named
from skipscan.inputs.field import amount, check_resumed, count, flag, only, run_name, table
from skipscan.pace.shares import MAX_WORKERS

MISSING = "a job acts on the keys of a finished run", "name the table, or its ARN, that the run was started with"
BOUNDS = ("max_write_units_per_second", "max_write_units", "max_dollars", "max_keys_per_second")
OWN = (*ACTIONS, "skip_ended")
UNPROTECTED = ("without_recovery", "no_writes_elsewhere")
FIELDS = ("table", "run", *OWN, "dry_run", "show_items", "workers", *BOUNDS, *UNPROTECTED, "resume")

FIXED = (*OWN, "workers", "dry_run", "show_items")
"""The fields that are planned once. Only the bounds may change when a job is resumed."""


@dataclass(frozen=True)
class ActionInput:
    """A person's choices for a job; `None`: Plan chooses. `action`: `None` for a resumed job.

    `skips_ended`: before each action, check that the item collection still has an item.
    """

    table: str
    run: str
    action: Asked | None
    skips_ended: bool = False
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


def parse(document: object) -> ActionInput:
    """Return the checked input; raise `InputError` with the field, the rule and the way out."""
    example = '{"table": "Orders", "run": "<its run>", "put_item": {"item": {"sk": "#static"}}}'
    given = only(document, FIELDS, what="the input", example=example)
    resume = run_name("resume", given.get("resume"), "the name of the job to resume")
    check_resumed(given, resume, FIXED, "job")
    action = None if resume else asked_action({name: given[name] for name in ACTIONS if name in given})
    asked = ActionInput(
        table=table("table", given.get("table"), *MISSING),
        run=run_name("run", given.get("run"), "the name of a finished run, which is its execution's name")
        or _missing(),
        action=action,
        skips_ended=flag("skip_ended", given.get("skip_ended", False)),
        dry_run=not resume and flag("dry_run", given.get("dry_run", True)),
        show_items=flag("show_items", given.get("show_items", False)),
        workers=count("workers", given.get("workers"), MAX_WORKERS, "a job may have"),
        max_write_units_per_second=amount("max_write_units_per_second", given, 1),
        max_write_units=amount("max_write_units", given, 1),
        max_dollars=amount("max_dollars", given, 0.0001),
        max_keys_per_second=amount("max_keys_per_second", given, 0.1),
        **{name: flag(name, given.get(name, False)) for name in UNPROTECTED},
        resume=resume,
    )
    if action is not None:
        check_bounds(asked, action)
    if asked.skips_ended and isinstance(action, UndoOf):
        raise InputError(
            "skip_ended", True, "an undo checks every item that it deletes anyway", leave_out("skip_ended")
        )
    return asked


def check_bounds(asked: ActionInput, action: Asked) -> None:
    """Raise `InputError` for a bound that does not apply to the action."""
    for name in BOUNDS[3:] if action.writes else BOUNDS[:3]:
        if getattr(asked, name) is not None:
            kind = "a writing job" if action.writes else action.name
            other = "max_write_units_per_second" if action.writes else "max_keys_per_second"
            raise InputError(
                name, getattr(asked, name), f"it has no meaning for {kind}", ("leave it out, or use ", named(other))
            )


def _missing() -> str:
    raise InputError(
        "run",
        OMITTED,
        "is missing; a job acts on the keys of a finished run",
        ("write it like ", give("run", "<its run>")),
    )
