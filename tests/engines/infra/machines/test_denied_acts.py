"""A worker of an act to which AWS denies a call ends at once, without retries."""

import pytest

from skipscan.act.kind import ACT
from tests.engines.infra.machines.definitions import Definitions
from tests.engines.infra.machines.denying import BUDGETS, STORAGE, TABLE, Denying, check_ended, denials, turned_against
from tests.engines.infra.machines.interpreter import Interpreter
from tests.engines.infra.machines.test_item_jobs import function
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import MARKER, Acting
from tests.fakes.handlers.execution import Machine
from tests.fakes.hostile.documented import FINAL

pytestmark = pytest.mark.xdist_group("synth")


@pytest.fixture(autouse=True)
def listed_run(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    items: list[Item] = [{"pk": {"S": f"p{n % 9}"}, "sk": {"S": f"s{n:03}"}} for n in range(30)]
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)
    assert listing.run({"table": "T-1"})["keys"] == 9


ACTS = {
    **{("put_object", name): denied for name, denied in STORAGE.items()},
    **{("put_item", name): denied for name, denied in TABLE.items()},
}


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("denied", denials(ACTS), ids="-".join)
def test_an_act_to_which_something_is_denied_ends_at_once(
    act_machines: Interpreter,
    acting: Acting,
    definitions: Definitions,
    denied: tuple[str, str],
    budget: str,
) -> None:
    refused, sentence = ACTS[denied]
    denying = Denying(acting, ("put_item",))
    turn = function(ACT.states.turn)
    against = turned_against(act_machines.functions[turn], lambda: denying.from_now_on(FINAL[refused], denied[0]))
    act_machines.functions = {**act_machines.functions, turn: against}
    document = {"table": "T-1", "run": "run-1", "put_item": MARKER, "dry_run": False, **BUDGETS[budget]}
    check_ended(act_machines.run(definitions["act"], document, name="job-1"), act_machines, turn, sentence)
    if budget == "with a budget" and denied[0] == "put_object":
        assert denying.written == 0
