"""The choice of the Limit."""

from tests.house.mutants.mutant import Chosen, Defect, Mutant, mutant
from tests.house.mutants.nodes import (
    arithmetic,
    assignment,
    attribute,
    boolean,
    call,
    comprehension,
    constant,
    if_,
    statement,
)
from tests.house.mutants.operators import always, becomes, drop, instead, keep, set_value

POLICY = Chosen(("tests/unit/scan/limit/policy/test_policy.py",))
RULES = Chosen(("tests/unit/scan/limit/policy/test_rules.py",))
TRYING = Chosen(("tests/unit/scan/limit/policy/test_trying.py",))
SIZE = Chosen(
    ("tests/unit/scan/limit/item_size/test_item_size.py", "tests/unit/scan/limit/item_size/test_likely_sizes.py")
)

FORGETTING = Chosen(("tests/unit/scan/limit/policy/test_forgetting.py",))

SAFEGUARDS = (
    mutant(
        "segments' ends that are no surprise", "LimitPolicy.observe", keep(boolean("price"), "values.1"), FORGETTING
    ),
    mutant(
        "a table that is learnt at once after a surprise",
        "LimitPolicy.observe",
        set_value(assignment("replan_at", "REPLAN"), "self.cost * REPLAN"),
        FORGETTING,
    ),
    mutant(
        "what the user optimizes for", "LimitPolicy.of", becomes(attribute("optimize"), "Optimize.BALANCED"), POLICY
    ),
    mutant("no dearer than the cheapest", "scan.limit.policy:", set_value(assignment("TIE"), "1.06"), RULES),
    mutant("the largest of equals", "LimitPolicy._cheapest", instead(call("max", number=2), "min"), RULES),
    mutant(
        "what exploring may cost",
        "LimitPolicy._may_risk",
        becomes(arithmetic("EXPLORING_UNITS"), "1000000000.0"),
        TRYING,
    ),
    mutant(
        "what trying longer pages may cost", "LimitPolicy.limit", instead(attribute("longer_risked"), "risked"), TRYING
    ),
    mutant(
        "longer than all pages so far only if it pays",
        "scan.limit.policy:",
        set_value(assignment("WORTH"), "1.0"),
        RULES,
    ),
    mutant("large pages count for their Limit", "scan.limit.item_size:", becomes(constant("32"), "16"), SIZE),
    mutant(
        "single places near the beginning of a page",
        "scan.limit.key_rate:",
        set_value(assignment("EXACT_PLACES"), "64"),
        RULES,
    ),
    mutant(
        "no tries of far shorter pages",
        "LimitPolicy._nearly_as_good",
        becomes(comprehension("_options").part("generators.0.ifs.0.values.1.left"), "0"),
        TRYING,
    ),
    mutant(
        "what pages of similar lengths cost", "scan.limit.item_size:", set_value(assignment("DOUBLING"), "1e-09"), SIZE
    ),
    mutant(
        "rare large items count for all Limits",
        "scan.limit.item_size:",
        set_value(assignment("OUTLIER"), "1000000000.0"),
        SIZE,
    ),
    mutant("no outlier before sizes are known", "ItemSize.observe", always(if_("is_fitted")), SIZE),
    mutant("large items that hide count for sizes", "scan.limit.item_size:", becomes(constant("30.0"), "0.0"), SIZE),
    mutant(
        "the spread decides how much the model counts", "ItemSize.steps", becomes(arithmetic("_variance"), "6.0"), SIZE
    ),
    mutant("a few lucky long pages count for little", "ItemSize.steps", keep(call("min", "OWN"), "args.0"), SIZE),
    mutant("a look at where collections end", "scan.limit.policy:", set_value(assignment("FEW_KEYS"), "0.0"), TRYING),
    mutant(
        "large items where no page has been",
        "scan.limit.item_size:",
        set_value(assignment("HIDDEN"), "1000000000.0"),
        RULES,
    ),
    mutant(
        "a description that is hours old",
        "scan.limit.policy:",
        set_value(assignment("SAID_ITEMS"), "1000000000000.0"),
        RULES,
    ),
    Mutant(
        "a table that has become another",
        (
            Defect("LimitPolicy.observe", becomes(statement("forget", "size"), "pass")),
            Defect("LimitPolicy.observe", drop(statement("forget", "rate"))),
        ),
        (RULES,),
    ),
)
