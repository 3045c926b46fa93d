"""Random environments with hostile names are synthesised into templates that AWS takes, or refused with a sentence."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from aws_cdk import App
from hypothesis import given
from hypothesis import strategies as st

from infra.bundle import ROOT
from infra.cdk_json import read_environments
from infra.follower import short
from infra.section import CdkJsonError
from infra.stack import SkipscanStack
from tests.engines.infra.template import Template
from tests.simulation.inputs.many import many
from tests.simulation.inputs.refusal import subject

pytestmark = [pytest.mark.xdist_group("synth"), pytest.mark.slow]

CONTEXT = json.loads((ROOT / "cdk.json").read_text())["context"]
ACCOUNTS, REGIONS = ("111111111111", "222222222222"), ("us-east-1", "eu-central-1")
LONG = "x" * 255
STATES = ("page", "plan", "scan", "act", "copy", "finish-act", "failed")
"""Words of states, machines and alarms, which names of resources end with."""

TABLES = st.sampled_from(
    [
        *STATES,
        *("a-b", "a_b", "a.b", "a-.", "abc", "abcRole", "abcLogs", "Stream", "None", "---"),
        *(LONG, f"{LONG[:-1]}.", "." * 255, "y" * 40, short("y" * 40)),
    ]
) | st.text("aA1-_.", min_size=3, max_size=4)
SAFE = st.text("aA1-", min_size=1, max_size=3) | st.sampled_from(STATES)
SCHEDULES = (
    st.sampled_from(["Role", "DeadLetters", "Topic", "x", "x-none", "x-before", "late-x", "s" * 24]) | SAFE | SAFE
)
NAMES = st.builds(
    lambda first, rest: f"{first}{rest}"[:24],
    st.sampled_from(["dev", "Dev", "e" * 24, "-"]),
    st.sampled_from(["", *(f"-{word}" for word in (*STATES, "keeper", "keep", "retrofit", "late", "us-east-1"))]),
)
COUNTS = st.sampled_from([1, 1, 1, 2, 5, 6, 16, 17, 50, 51])
"""Of things of which AWS takes so many."""

NAMED = {
    "AWS::Lambda::Function": ("FunctionName", 64),
    "AWS::Logs::LogGroup": ("LogGroupName", 512),
    "AWS::StepFunctions::StateMachine": ("StateMachineName", 80),
    "AWS::CloudWatch::Alarm": ("AlarmName", 255),
    "AWS::CloudWatch::CompositeAlarm": ("AlarmName", 255),
    "AWS::CloudWatch::Dashboard": ("DashboardName", 255),
    "AWS::Scheduler::Schedule": ("Name", 64),
}
"""By type: the property that is a name, and its greatest length (CloudFormation's schemas of the resources)."""


def mostly(values: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Draw the first value more often than another one."""
    return st.sampled_from([values[0]] * 4 + [*values])


@st.composite
def environments(draw: st.DrawFn) -> dict[str, Any]:
    return {name: draw(environment()) for name in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))}


@st.composite
def environment(draw: st.DrawFn) -> dict[str, Any]:
    account, region = (
        draw(st.sampled_from(ACCOUNTS[:1] * 3 + ACCOUNTS)),
        draw(st.sampled_from(REGIONS[:1] * 3 + REGIONS)),
    )
    own = draw(st.lists(TABLES, min_size=1, max_size=6, unique=True))
    written = draw(st.sets(st.sampled_from(own), max_size=3))
    foreign = [
        f"arn:aws:dynamodb:{region}:{owner}:table/{name}"
        for owner in draw(st.lists(st.sampled_from(["333333333333", "444444444444", account]), max_size=2))
        for name in draw(st.lists(TABLES | st.sampled_from(own), max_size=2))
    ]
    made: dict[str, Any] = {
        "account": account,
        "region": region,
        "tables": [*own, *foreign],
        "writing": {table: draw(writing(account, region, table)) for table in sorted(written)},
        "schedules": {
            name: {
                "expression": "rate(1 day)",
                "input": {"table": draw(st.sampled_from(own))},
                **({"late_after_hours": 26} if draw(st.booleans()) else {}),
            }
            for name in draw(st.lists(SCHEDULES, max_size=3, unique=True))
        },
    }
    if draw(st.integers(0, 3)) == 0:
        subnets, groups = draw(COUNTS), draw(COUNTS)
        made |= {
            "tags": {f"tag-{i}": "x" for i in range(draw(COUNTS))},
            "vpc": {"subnets": _ids("subnet", subnets), "security_groups": _ids("sg", groups)},
            "retention": {"results_days": draw(st.sampled_from([1, 36_500, 36_501, 10**12]))},
        }
    return made


def _ids(prefix: str, count: int) -> list[str]:
    return [f"{prefix}-{i:08x}" for i in range(count)]


@st.composite
def writing(draw: st.DrawFn, account: str, region: str, table: str) -> dict[str, Any]:
    stream = f"arn:aws:dynamodb:{region}:{account}:table/{table}/stream/2026-01-31T03:00:00.000"
    there = draw(mostly((region, "eu-west-1")))
    jobs: dict[str, Any] = {
        "act": True,
        "targets": [f"arn:aws:sqs:{there}:{account}:{draw(st.sampled_from(['q', 'q' * 80]))}"],
        "retrofit": True,
        "keeper": {"stream": stream, "marker": {"sk": "#"}},
        "attribute_keeper": {"stream": stream, "set": {"made": "{a}-{b}"}},
        "copy": {"stream": stream, "to": draw(TABLES)},
    }
    return {name: jobs[name] for name in sorted(draw(st.sets(st.sampled_from(sorted(jobs)), max_size=3)))}


def names(template: Template) -> Iterator[tuple[str, str, int]]:
    """Return the names in a template, with their kind and the greatest length."""
    for kind, (field, most) in NAMED.items():
        for each in template.every(kind):
            name = each[field]
            yield kind.replace("Composite", ""), name if isinstance(name, str) else template.text(name), most


def check(template: Template) -> None:
    """Check the limits of CloudFormation and of the services that no synth checks."""
    outputs = template.document.get("Outputs", {})
    assert all(len(key) <= 255 and key.isalnum() for key in outputs)
    assert not [output for output in outputs.values() if "Export" in output]
    assert len(outputs) <= 200
    assert len(template.document["Resources"]) <= 500
    for resource in template.document["Resources"].values():
        properties = resource.get("Properties", {})
        tags = properties.get("Tags", [])
        assert len({tag["Key"].lower() for tag in tags} if isinstance(tags, list) else tags) == len(tags) <= 50
        assert len(properties.get("VpcConfig", {}).get("SubnetIds", [])) <= 16
        assert len(properties.get("VpcConfig", {}).get("SecurityGroupIds", [])) <= 5
    for output in outputs.values():
        assert len(output.get("Description", "")) <= 1024


def test_any_environments_are_synthesised_or_refused_with_a_sentence() -> None:
    seen: Counter[str] = Counter()

    @many(50)
    @given(environments())
    def each(document: dict[str, Any]) -> None:
        try:
            read = read_environments(document)
            app = App(context=CONTEXT)
            for one in read:
                SkipscanStack(app, f"skipscan-{one.name}", environment=one, keep_results=True)
        except CdkJsonError as mistake:
            subject(str(mistake))  # which fails if that is no sentence
            seen["refused"] += 1
            return
        assembly = app.synth()
        used: Counter[tuple[str, str, str, str]] = Counter()
        for one in read:
            template = Template(assembly.get_stack_by_name(f"skipscan-{one.name}").template)
            check(template)
            for kind, name, most in names(template):
                assert len(name) <= most
                used[one.account, one.region, kind, name] += 1
        assert [name for name, count in used.items() if count > 1] == []
        seen["synthesised"] += 1

    each()
    assert seen["synthesised"] >= 1, seen
    assert seen["refused"] >= 1, seen
