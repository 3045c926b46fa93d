"""Every check on the embedded engines: a check that an engine cannot pass must fail, with the reason listed here."""

from typing import NamedTuple

import pytest

from tests.engines.e2e.verify.conftest import Recorded
from verify.check import Outcome
from verify.checks import CHECKS

pytestmark = pytest.mark.xdist_group("embedded")


class Deviation(NamedTuple):
    """How a check ends on an engine that is not like AWS, and why."""

    outcome: Outcome
    reason: str


def wrong(reason: str) -> Deviation:
    return Deviation(Outcome.NOT_HELD, reason)


def missing(reason: str) -> Deviation:
    return Deviation(Outcome.NOT_TRIED, reason)


NO_STATEMENTS = missing("dynalite has no PartiQL")
LIMIT_UNKNOWN = missing("refuses nothing for want of throughput")
RETRIED = wrong("MiniStack's Step Functions names the refusal Lambda.Unknown, which no retrier knows")
SKIPPED = wrong("a skip on an index loses keys")

DEVIATIONS: dict[str, dict[str, Deviation]] = {
    "dynalite": {
        "skip-several-attributes": wrong("refuses more than one attribute per key"),
        "longest-keys": wrong("has no bound for keys"),
        "strong-page": wrong("drops ConsistentRead and charges half"),
        "empty-segment": wrong("charges nothing for an empty page"),
        "item-size": wrong("counts UTF-16 units, not bytes"),
        "index-write-units": wrong("charges no index"),
        "failed-condition": wrong("answers without the item"),
        "recovery": missing("has no point-in-time recovery"),
        "table-policy": missing("has no policies"),
        "throttled-on-demand": LIMIT_UNKNOWN,
        "throttled-provisioned": LIMIT_UNKNOWN,
        "stream-order": wrong("has no streams"),
        "stream-failures": wrong("has no streams"),
        "mapping-off": wrong("has no streams"),
        "statement-conditions": NO_STATEMENTS,
        "statement-units": NO_STATEMENTS,
        # Of the other services, which are MiniStack's.
        "results-never-change": wrong("MiniStack evaluates no bucket policy"),
        "price-list": missing("MiniStack has no price list"),
        "waiting-workers": RETRIED,
        "jitter": RETRIED,
        "error-names": wrong("MiniStack reports Runtime.HandlerError whatever was raised"),
        "start-up": missing("MiniStack logs no Init Duration"),
        "worker-speed": wrong("batches of four pages on the processor of the tests"),
        "state-size": wrong("MiniStack knows no limit of a state's size"),
        "metrics": missing("MiniStack makes no metrics of log lines"),
        "schedule-dead-letter": missing("MiniStack denies no start, and has no dead letters of schedules"),
        "machine-sources": missing("MiniStack's trail has no event of a service"),
        "alarm": missing("MiniStack denies nothing, so that no run fails"),
        "redrive": missing("MiniStack denies nothing, so that the run does not fail"),
        "table-key": wrong("knows no keys of tables"),
        "copy": missing("the environment has no copy: test_copying.py deploys one"),
        "copy-follows": missing("the environment has no copy: test_copying.py deploys one"),
    },
    "ministack": {
        "skip-table": wrong("compares start keys as text"),
        "skip-local-index": SKIPPED,
        "skip-global-index": SKIPPED,
        "skip-several-attributes": SKIPPED,
        "skip-inside": SKIPPED,
        "pages-without-sort-key": wrong("walks an index in the order of the table"),
        "foreign-segment": wrong("does not check the segment of a start key"),
        "order-within-collections": wrong("walks an index in the order of the table"),
        "order-of-segments": wrong("walks in the order of partition keys, and cuts segments by hashes"),
        "short-page": wrong("charges every page the same"),
        "fresh-figures": wrong("counts at once"),
        "throttled-on-demand": LIMIT_UNKNOWN,
        "throttled-provisioned": LIMIT_UNKNOWN,
        "stream-failures": missing("takes a stream's batch for done, whatever the function reports"),
        "statement-units": wrong("bills each statement one unit, whatever the item's size"),
    },
}

SAMPLE = {
    "dynalite": {"skip-table", "skip-global-index", "short-page", "put-once", "refused-invocation"},
    "ministack": {"index-write-units", "stream-order", "statement-conditions", "recovery"},
}
"""What `make test` tries; `make test-all` tries every check."""

REFUSED = {"lean-client"}
"""Checks that ask for a refusal."""

CASES = [
    pytest.param(
        engine,
        name,
        id=f"{engine}-{name}",
        marks=[
            *([] if name in SAMPLE[engine] else [pytest.mark.long]),
            *([pytest.mark.refused_by_aws] if name in REFUSED else []),
        ],
    )
    for engine in DEVIATIONS
    for name in CHECKS
    if engine == "dynalite" or Recorded.is_of_dynamodb(name)
]


@pytest.mark.parametrize(("engine", "check"), CASES)
def test_an_assumption_holds_unless_the_engine_is_known_to_deviate(recorded: Recorded, engine: str, check: str) -> None:
    expected = DEVIATIONS[engine].get(check, Deviation(Outcome.HELD, "it is like AWS"))
    outcome, seen = recorded.attempt(engine, check)
    assert outcome is expected.outcome, f"{outcome}: {seen}; expected, because {expected.reason}"


def test_every_deviation_is_of_a_check_that_is_tried() -> None:
    for engine, deviations in DEVIATIONS.items():
        tried = {name for name in CHECKS if engine == "dynalite" or Recorded.is_of_dynamodb(name)}
        assert deviations.keys() <= tried
        assert SAMPLE[engine] <= tried - deviations.keys()
