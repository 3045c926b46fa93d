"""Conditional PartiQL statements in a batch. Nothing rests on them yet: see docs/decisions/0007."""

from typing import Any

from verify.check import check, hold
from verify.checks.reading import API, GUIDE
from verify.checks.writes import WRITTEN
from verify.kit import Kit

LATER = "Nothing yet: 25 conditional writes in a request could make retrofits faster."
CODES = ["", "ConditionalCheckFailed", "ConditionalCheckFailed", "DuplicateItem", ""]
LARGE = {"fill": {"B": bytes(1500)}}
"""What makes the item of the second statement, whose condition fails, cost two write units. The others cost one."""
UNITS = len(CODES) + 1


def statements(kit: Kit) -> Any:
    """Return the answer to five statements, of which two hold."""

    def make() -> Any:
        table = kit.table("written")
        for number in "1", "2", "5":
            item = {
                "p": {"S": "statement"},
                "s": {"S": number},
                "made": {"N": number},
                **(LARGE if number == "2" else {}),
            }
            kit.dynamodb.put_item(TableName=table, Item=item)
        where = "WHERE p = ? AND s = ? AND made = ?"

        def update(number: str, made: str) -> dict[str, Any]:
            values = [{"S": "new"}, {"S": "statement"}, {"S": number}, {"N": made}]
            return {"Statement": f'UPDATE "{table}" SET "set" = ? {where}', "Parameters": values}  # noqa: S608

        def insert(number: str) -> dict[str, Any]:
            values = [{"S": "statement"}, {"S": number}]
            return {"Statement": f"INSERT INTO \"{table}\" VALUE {{'p': ?, 's': ?}}", "Parameters": values}

        asked = [update("1", "1"), update("2", "1"), update("3", "1"), insert("5"), insert("4")]
        return kit.dynamodb.batch_execute_statement(Statements=asked, ReturnConsumedCapacity="TOTAL")

    return kit.once("statements", make)


@check(
    "statement-conditions",
    "In a batch of PartiQL statements each answers for itself: a failed condition or a missing item "
    "ConditionalCheckFailed, an item that is there DuplicateItem, and an UPDATE creates nothing.",
    source=f"{API}/API_BatchExecuteStatement.html",
    breaks=LATER,
    tables=WRITTEN,
)
def statement_conditions(kit: Kit) -> str:
    answers = statements(kit)["Responses"]
    codes = [answer.get("Error", {}).get("Code", "") for answer in answers]
    hold(codes == CODES, f"the answers are {codes}, expected {CODES}")
    missing = kit.dynamodb.get_item(TableName=kit.table("written"), Key={"p": {"S": "statement"}, "s": {"S": "3"}})
    hold("Item" not in missing, "an UPDATE created an item")
    return "five statements, each with its own answer"


@check(
    "statement-units",
    "A statement costs the write units that UpdateItem or PutItem would cost; one whose condition fails costs those of "
    "the item that is there, and one unit if there is none.",
    source=f"{GUIDE}/ql-reference.multiplestatements.batching.html",
    breaks=LATER,
    tables=WRITTEN,
)
def statement_units(kit: Kit) -> str:
    consumed = statements(kit).get("ConsumedCapacity") or []
    found = sum(entry["CapacityUnits"] for entry in consumed)
    seen = f"five statements, of which one fails on an item of two units, cost {found:g} write units"
    hold(found == UNITS, f"{seen}; {UNITS} were expected")
    return seen
