"""The decision about Scan's memory states what follows from prices and from the processor time of a request."""

import re
from pathlib import Path

import pytest

from benchmarks.blog_table.pace import Pace, walks_that_pay
from infra.environment import FULL_VCPU_MB
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bounds import REQUEST_SECONDS
from tests.house.docs.document import rows

PAGE = Path("docs/decisions/0007-boto3-is-the-client.md")
STATED = {
    int(memory.removesuffix(" MB").replace(",", "")): (int(rate.replace(",", "")), float(dollars))
    for memory, rate, dollars in rows(PAGE, "<!-- memory of Scan -->")
}


@pytest.mark.parametrize("megabytes", [512, 1024, FULL_VCPU_MB, 2 * FULL_VCPU_MB])
def test_the_table_states_what_a_request_costs_with_so_much_memory(megabytes: int) -> None:
    cpu_seconds = REQUEST_SECONDS * max(1.0, FULL_VCPU_MB / megabytes)
    pace = Pace(cpu_seconds, walks_that_pay(cpu_seconds, 1000))
    rate, dollars = STATED[megabytes]
    assert rate == round(1 / pace.seconds)
    gb_seconds = 1e6 * pace.seconds * megabytes / 1024
    assert dollars == round(US_EAST_1.lambda_gb_seconds.of(gb_seconds), 4)
    assert dollars >= STATED[FULL_VCPU_MB][1]


def test_the_assumed_time_is_half_as_much_again_as_the_measured_one_that_the_page_states() -> None:
    """About the constant's source, not about the code: tests/house/benchmarks/test_client_calls.py counts that live."""
    stated = re.search(r"takes ([\d.]+) ms of processor time .* We assume ([\d.]+) ms in Lambda", PAGE.read_text())
    assert stated is not None
    measured, assumed = map(float, stated.groups())
    assert pytest.approx(assumed) == 1000 * REQUEST_SECONDS
    assert assumed == pytest.approx(1.5 * measured, abs=0.01)
