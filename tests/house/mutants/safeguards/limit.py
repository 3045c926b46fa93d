"""The choice of the Limit."""

from tests.house.mutants.mutant import Chosen, mutant
from tests.house.mutants.nodes import assignment, attribute, call, if_
from tests.house.mutants.operators import always, becomes, instead, never, set_value

LIMIT = Chosen(("tests/unit/scan/test_limit.py",))

SAFEGUARDS = (
    mutant("what the user optimizes for", "LimitPolicy.of", becomes(attribute("optimize"), "Optimize.BALANCED"), LIMIT),
    mutant("the largest of equals", "LimitPolicy._plan", instead(call("max", number=2), "min"), LIMIT),
    mutant("no long pages above the cost of Limit=1", "LimitPolicy.limit", never(if_("_room")), LIMIT),
    mutant("pages that Limit=1 would pay for, too", "LimitPolicy.observe", never(if_("len")), LIMIT),
    mutant("sizes that no page contradicts", "LimitPolicy.item", always(if_("stated")), LIMIT),
    mutant("what was seen fades", "scan.limit:", set_value(assignment("EPOCH"), "(1.25, 1 << 60)"), LIMIT),
)
