"""Every call that the functions really made is allowed by the policies, and they allow nothing that was not used."""

from dataclasses import replace

import pytest

from local.checkout import ACCOUNT, REGION
from tests.engines.iam.commands import COMMAND_LINE, JOB_COMMANDS, RUN_COMMANDS
from tests.engines.iam.conftest import ENVIRONMENT, STACK, Recording
from tests.engines.infra.template import Template, synthesised
from tests.fakes.iam.documents import documented
from tests.fakes.iam.policy import Grant, Need, grants_in, is_allowed

# The recording deploys, and follows runs at a low rate: minutes.
pytestmark = [pytest.mark.xdist_group("iam"), pytest.mark.long]

STATES = (
    *("plan", "scan", "finish", "report", "compare", "plan-act", "act", "finish-act", "report-act"),
    *("plan-retrofit", "retrofit", "finish-retrofit", "report-retrofit"),
)


def needs(recording: Recording, caller: str) -> set[Need]:
    calls = [call for call in recording.calls if call.caller == caller]
    return {need for call in calls for need in call.needs(region=REGION, account=ACCOUNT)}


def role(template: Template, state: str) -> set[Grant]:
    """What a function's role allows, but for the function's own log, which Lambda writes and not the SDK."""
    function = template.the("AWS::Lambda::Function", FunctionName=f"{STACK}-{state}")
    documents = template.policies(function["Role"])
    grants = {grant for document in documents for grant in grants_in(document)}
    return {grant for grant in grants if not grant.action.startswith("logs:")}


def bucket_policy(template: Template) -> set[Grant]:
    return set(grants_in(template.spelled(template.the("AWS::S3::BucketPolicy")["PolicyDocument"])))


def refused(needed: set[Need], grants: set[Grant]) -> list[Need]:
    return [need for need in needed if not is_allowed(need, grants)]


def needless(grants: set[Grant], needed: set[Need]) -> list[Grant]:
    """Return the grants without which every call would still be allowed."""
    return [grant for grant in grants if not refused(needed, grants - {grant})]


def unused(allowed: set[Grant], needed: set[Need], state: str) -> list[Grant]:
    """Return what a function's role allows needlessly.

    Every worker may say why an attempt failed. In the recording an attempt of Act fails, and none of the others.
    """
    spare = needless(allowed, needed)
    return [grant for grant in spare if state == "act" or not grant.resource.endswith("/errors/*")]


@pytest.mark.parametrize("state", STATES)
def test_a_function_is_allowed_every_call_it_makes(recording: Recording, state: str) -> None:
    allowed = role(recording.template, state) | bucket_policy(recording.template)
    needed = needs(recording, f"{STACK}-{state}")
    assert len(needed) > (4 if state.startswith("report") else 5)
    assert refused(needed, allowed) == []


@pytest.mark.parametrize("state", STATES)
def test_a_function_is_allowed_nothing_that_it_does_not_do(recording: Recording, state: str) -> None:
    assert unused(role(recording.template, state), needs(recording, f"{STACK}-{state}"), state) == []


def test_the_recording_has_calls_of_every_function_and_of_the_command_line(recording: Recording) -> None:
    assert {call.caller for call in recording.calls} == {
        *(f"{STACK}-{state}" for state in STATES),
        COMMAND_LINE,
        RUN_COMMANDS,
        JOB_COMMANDS,
    }


def test_everyone_met_s3_at_its_worst(recording: Recording) -> None:
    calls = [call for call in recording.calls if call.service == "s3"]
    assert {call.caller for call in calls if call.attempts > 1} == {call.caller for call in calls}


@pytest.fixture(scope="module")
def encrypted() -> Template:
    """The template of the same environment with customers' keys on the results and the table."""
    keys = {"results": key("a"), "tables": [key("b")]}
    return synthesised({"iam": {**ENVIRONMENT, "encryption": keys}})["iam"]


def key(digit: str) -> str:
    return f"arn:aws:kms:{REGION}:{ACCOUNT}:key/{digit}0000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize("state", STATES)
def test_with_customers_keys_a_function_may_use_them_for_its_calls_and_for_nothing_else(
    recording: Recording, encrypted: Template, state: str
) -> None:
    calls = [call for call in recording.calls if call.caller == f"{STACK}-{state}"]
    needed = {
        need for call in calls for need in call.key_needs(region=REGION, results=key("a"), table=key("b"))
    } | needs(recording, f"{STACK}-{state}")
    allowed = role(encrypted, state)
    assert refused(needed, allowed) == []
    assert unused(allowed, needed, state) == []


def test_no_role_can_put_a_plan_a_part_or_a_manifest_without_if_none_match(recording: Recording) -> None:
    puts = set()
    for state in STATES:
        allowed = role(recording.template, state) | bucket_policy(recording.template)
        for need in needs(recording, f"{STACK}-{state}"):
            careless = tuple(item for item in need.context if item[0] != "s3:if-none-match")
            # An allotment is named after its attempt; earlier versions that still run put it without a condition.
            if careless != need.context and "/allotments/" not in need.resource:
                assert not is_allowed(Need(need.action, need.resource, careless), allowed)
                folder, name = need.resource.rsplit("/", 2)[1:]
                puts.add(folder if folder == "only" else name.split("-")[0])
    # A checkpoint is named after its batch.
    assert puts == {"plan.json", "batch", "part", "manifest.json", "diff.json", "profile.json", "only"}


def test_the_documented_policy_lets_the_command_line_do_what_it_does_and_nothing_else(recording: Recording) -> None:
    allowed = documented("command-line", region=REGION, account=ACCOUNT, table="Orders")
    needed = needs(recording, COMMAND_LINE)
    assert refused(needed, allowed) == []
    assert needless(allowed, needed) == []


# What a person does in the console and no command: look at the machine, a worker, a run's end; redrive.
OF_THE_CONSOLE = {"states:DescribeStateMachine", "states:RedriveExecution"}
# What they look at there.
OF_PEOPLE = (
    "/Workers:*",
    "/unfinished.json",
    "/diff.json",
    "/diff/*",
    "/report.html",
    "/profile.html",
    "/profile.json",
    "/errors/*",
)


def of_people(name: str) -> set[Grant]:
    allowed = documented(name, region=REGION, account=ACCOUNT, environment="iam", bucket="the bucket")
    return {replace(grant, resource=grant.resource.removeprefix("arn:aws:s3:::")) for grant in allowed}


def test_the_documented_policy_lets_the_commands_about_runs_do_what_they_do(recording: Recording) -> None:
    allowed = of_people("run")
    needed = needs(recording, RUN_COMMANDS)
    assert refused(needed, allowed) == []
    spare = [grant for grant in needless(allowed, needed) if grant.action not in OF_THE_CONSOLE]
    assert [grant for grant in spare if not grant.resource.endswith(OF_PEOPLE)] == []


def test_the_documented_policies_let_the_commands_about_jobs_do_what_they_do(recording: Recording) -> None:
    """The environment of the recording has no copy: what the policy says of copies, it says of retrofits as well."""
    run, jobs = of_people("run"), of_people("jobs")
    needed = needs(recording, JOB_COMMANDS)
    assert refused(needed, run | jobs) == []
    beside_run = {need for need in needed if not is_allowed(need, run)}
    copies = {grant for grant in jobs if "-copy" in grant.resource or "/copies/" in grant.resource}
    spare = [grant for grant in needless(jobs - run - copies, beside_run) if grant.action not in OF_THE_CONSOLE]
    assert [grant for grant in spare if not grant.resource.endswith(OF_PEOPLE)] == []
    of_retrofits = {grant.resource.replace("-copy", "-retrofit").replace("/copies/", "/retrofits/") for grant in copies}
    retrofits = {grant for grant in jobs if "-retrofit" in grant.resource or "/retrofits/" in grant.resource}
    assert of_retrofits == {grant.resource for grant in retrofits}
