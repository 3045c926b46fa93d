"""Copying every item of a table to a new one, as a kind of work."""

from skipscan.copy.input import FIELDS, parse_copy
from skipscan.copy.item import CopyProgress
from skipscan.copy.plan import CopyPlan
from skipscan.items.kind import item_kind
from skipscan.loop.kind import States

COPY = item_kind(
    "copy",
    "copies",
    "Copies every item of a DynamoDB table to a new one, which a replicator keeps up to date",
    States("Plan copy", "Copy page", "Pages left?", "Finish copy", "Report copy"),
    example={"table": "Audit", "to": "Audit-2"},
    fields=FIELDS,
    parse=parse_copy,
    plan_form=CopyPlan,
    progress_form=CopyProgress,
    named=("table", "to"),
    counted=lambda plan: "compared" if plan.compare_only else None,
)
