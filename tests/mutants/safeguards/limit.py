"""The choice of the Limit."""

from tests.mutants.mutant import Chosen, mutant

POLICY = Chosen(("tests/unit/limit/test_policy.py",))
RULES = Chosen(("tests/unit/limit/test_rules.py",))
TRYING = Chosen(("tests/unit/limit/test_trying.py",))
SIZE = Chosen(("tests/unit/limit/test_item_size.py", "tests/unit/limit/test_likely_sizes.py"))

FORGETTING = Chosen(("tests/unit/limit/test_forgetting.py",))

SAFEGUARDS = (
    mutant(
        "segments' ends that are no surprise",
        "if evaluated and self._is_surprised(",
        "if self._is_surprised(",
        FORGETTING,
    ),
    mutant(
        "a table that is learnt at once after a surprise",
        "self.replan_at = self.forgotten_cost + (self.cost - self.forgotten_cost) * REPLAN",
        "self.replan_at = self.cost * REPLAN",
        FORGETTING,
    ),
    mutant(
        "what the user optimizes for",
        "REQUEST_UNITS[plan.optimize]",
        "REQUEST_UNITS[Optimize.BALANCED]",
        POLICY,
    ),
    mutant(
        "no dearer than the cheapest",
        "TIE = 1.02",
        "TIE = 1.06",
        RULES,
    ),
    mutant(
        "the largest of equals",
        "return max(option.limit for option in seen",
        "return min(option.limit for option in seen",
        RULES,
    ),
    mutant(
        "what exploring may cost",
        "EXPLORING * self.cost + EXPLORING_UNITS",
        "1e9",
        TRYING,
    ),
    mutant(
        "what trying longer pages may cost",
        "self._longer() if self.longer_risked <= self._may_risk else self._best",
        "self._longer() if self.risked <= self._may_risk else self._best",
        TRYING,
    ),
    mutant(
        "longer than all pages so far only if it pays",
        "WORTH = 1.05",
        "WORTH = 1.0",
        RULES,
    ),
    mutant(
        "large pages count for their Limit",
        "EXACT_ITEMS, EXACT_STEPS = 128, 32",
        "EXACT_ITEMS, EXACT_STEPS = 128, 16",
        SIZE,
    ),
    mutant(
        "single places near the beginning of a page",
        "EXACT_PLACES = 128",
        "EXACT_PLACES = 64",
        RULES,
    ),
    mutant(
        "no tries of far shorter pages",
        "best.limit <= 2 * option.limit",
        "0 <= 2 * option.limit",
        TRYING,
    ),
    mutant(
        "what pages of similar lengths cost",
        "DOUBLING = 0.07",
        "DOUBLING = 1e-9",
        SIZE,
    ),
    mutant(
        "rare large items count for all Limits",
        "OUTLIER = 6.0",
        "OUTLIER = 1e9",
        SIZE,
    ),
    mutant(
        "no outlier before sizes are known",
        "        if self.is_fitted:",
        "        if True:",
        SIZE,
    ),
    mutant(
        "large items that hide count for sizes",
        "HIDDEN_ITEMS, HALF_ITEMS = 30.0, 300.0",
        "HIDDEN_ITEMS, HALF_ITEMS = 0.0, 300.0",
        SIZE,
    ),
    mutant(
        "the spread decides how much the model counts",
        "weight = self._variance(limit) / min(OWN * modelled, OWN_STEPS) ** 2",
        "weight = 6.0",
        SIZE,
    ),
    mutant(
        "a few lucky long pages count for little",
        "min(OWN * modelled, OWN_STEPS)",
        "(OWN * modelled)",
        SIZE,
    ),
    mutant(
        "a look at where collections end",
        "FEW_KEYS = 2.5",
        "FEW_KEYS = 0.0",
        TRYING,
    ),
    mutant(
        "large items where no page has been",
        "HIDDEN = 2.0",
        "HIDDEN = 1e9",
        RULES,
    ),
    mutant(
        "a description that is hours old",
        "SAID_ITEMS = 1000.0",
        "SAID_ITEMS = 1e12",
        RULES,
    ),
    mutant(
        "a table that has become another",
        ("self.size.forget()\n            self.rate.forget()"),
        "pass",
        RULES,
    ),
)
