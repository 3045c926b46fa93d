"""Copying every item of a table to a new one, as a kind of work."""

from skipscan.copy.input import FIELDS, parse_copy
from skipscan.copy.item import CopyCounts
from skipscan.copy.plan import CopyPlan
from skipscan.items.kind import ItemKind
from skipscan.items.progress import ItemPosition


class Copy(ItemKind[CopyPlan]):
    def followed(self, plan: CopyPlan) -> str:
        return "compared" if plan.compare_only else self.default_count


COPY = Copy(
    label="copy",
    folder="copies",
    comment="Copies every item of a DynamoDB table to a new one, which a replicator keeps up to date",
    example={"table": "Audit", "to": "Audit-2"},
    turn_state="Copy page",
    question="Pages left?",
    fields=FIELDS,
    parse=parse_copy,
    plan_form=CopyPlan,
    counts_form=CopyCounts,
    named=("table", "to"),
    unit="walks",
    position_form=ItemPosition,
    default_count="items",
)
