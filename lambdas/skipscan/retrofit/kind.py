"""Setting attributes on every item of a table, as a kind of work."""

from skipscan.items.kind import item_kind
from skipscan.loop.kind import States
from skipscan.retrofit.counts import RetrofitCounts
from skipscan.retrofit.input import FIELDS, parse
from skipscan.retrofit.plan import RetrofitPlan

RETROFIT = item_kind(
    "retrofit",
    "retrofits",
    "Sets attributes made of others on every item of a DynamoDB table",
    States("Plan retrofit", "Retrofit", "Items left?", "Finish retrofit", "Report retrofit"),
    example={"table": "Audit", "set": {"resource-action": "{resourceId}-{action}"}},
    fields=FIELDS,
    parse=parse,
    read_plan=RetrofitPlan.from_json,
    counts=RetrofitCounts,
    named=("table", "indexes"),
)
