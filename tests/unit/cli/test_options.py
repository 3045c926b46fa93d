"""What a command says in options, and what completes them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import boto3
import click
import pytest
from botocore.stub import Stubber
from click.shell_completion import ShellComplete

from skipscan.cli.advice import as_options
from skipscan.cli.commands import COMMANDS, option_names
from skipscan.cli.follow import why
from skipscan.cli.main import skipscan
from skipscan.cli.options import _bound
from skipscan.environment import KINDS, executions
from skipscan.environment.executions import Executions
from skipscan.environment.status import Execution
from skipscan.errors import (
    OMITTED,
    BudgetError,
    InputError,
    Mention,
    SkipscanError,
    Use,
    give,
    leave_out,
    named,
)
from skipscan.inputs.fields import option_name
from skipscan.listing.execution_input import parse
from tests.unit.cli.command import invoke


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (give("without_recovery", True), "--without-recovery"),
        (give("resume", "mon-day"), "`skipscan resume TABLE mon-day`"),
        (named("max_read_units"), "--max-read-units"),
        (named("unheard_of"), "unheard_of"),
        (leave_out("verify"), "leave out --no-verify"),
        (leave_out("take.last", "unheard_of"), "leave out --last or unheard_of"),
        (Mention(("create",), Use.IS, "true").marked, "--create is given"),
        (Mention(("take.last",), Use.IS, '"a"').marked, '--last is "a"'),
        (Mention(("take.count.up_to",), Use.IS, "0").marked, "--count is 0"),
        ('leave set out, "writing": {"Orders": {"act": true}}', 'leave set out, "writing": {"Orders": {"act": true}}'),
    ],
)
def test_a_field_is_named_by_its_option_if_the_commands_have_one(part: str, said: str) -> None:
    assert as_options(part, option_names(*COMMANDS)) == said


def test_a_refused_field_is_named_by_its_option_if_the_command_has_one() -> None:
    refused = InputError("max_read_units", 0, "it must be above 0", "raise it")
    assert as_options(refused.text, {"--max-read-units"}) == "--max-read-units is 0; it must be above 0: raise it"
    assert as_options(refused.text, {"--segments"}) == str(refused)
    assert "skipscan: --segments is 0; " in invoke("run", "Orders", "--env", "dev", "--segments", "0").stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("run Orders --workers 20 --segments 4", "--workers is 20 and --segments is 4; every worker needs a segment"),
        ("run Orders --workers 20 --segments 4", ": lower --workers, raise --segments, or leave one of the two out"),
        ("run Orders --prefix=", '--prefix is ""; it must be a text of at least one character'),
        (
            "run Orders --between 1 2 --since 3",
            '--between is ["1", "2"] and --since is "3"; a run has one range of sort keys: those with a '
            "prefix, or those between two values: leave out --between or --since",
        ),
        ("run Orders --first a,a", '--first is ["a", "a"]; it must be "all"'),
        (
            "run Orders --format text --first a",
            '--format is "text"; it cannot hold items or counts: use jsonl, ',
        ),
        ("run --count Orders", "'Orders' is no number: give one, or write --count behind TABLE to count all"),
        ("run Orders --count 0", "--count is 0; a group is counted up to a number from 1 to 1000000000: raise it or"),
        (
            "run Orders --most 5",
            "--most is 5; it is about the items of each group, which --items takes: give --items",
        ),
        ("run Orders --items a --most 0", "--most is 0; of a group the run takes 1 to 1000000000: raise it or leave"),
        ("run Orders --count --first a", "a run counts items or takes them: leave out --count or the others"),
        ("run Orders --max-dollars 1e-5", "--max-dollars is 0.00001; it must be a number, at least 0.0001 and at most"),
        ("run Orders --max-dollars 1e16", " 1000000000000000: correct it"),
        ("act Orders r --workers 2", "no action is given; a job has exactly one action: give one of --put-item, "),
        ("act Orders r --undo a --send {}", "--send and --undo are given; a job has exactly one action"),
        ("act Orders r --undo a --skip-ended", "--skip-ended is given; an undo checks every item"),
        ("act Orders r --undo a --skip-ended", "that it deletes anyway: leave out --skip-ended"),
        ("act Orders r --resume j", "No such option: --resume; skipscan resume TABLE NAME does it (see"),
        ("retrofit Orders --resume j", "No such option: --resume; skipscan resume TABLE NAME does it (see"),
        ("act Orders r --undo a --max-keys-per-second 1", "leave it out, or use --max-write-units-per-second"),
        ("copy start Orders New --resume j", "No such option: --resume; skipscan resume TABLE NAME does it (see"),
        (
            "copy Orders New --create",
            "copy has the steps start, compare, cut-over: write skipscan copy start Orders New --create --env dev",
        ),
        ("copy Orders New --compare-only", "write skipscan copy compare Orders New --env dev"),
        ("copy Orders --cut-over --json", "write skipscan copy cut-over Orders --json --env dev"),
        ("copy strat Orders New", "No such command 'strat'. Did you mean 'start'?"),
        ("copy start Orders --cut-over", "No such option: --cut-over; skipscan copy cut-over TABLE does it"),
        ("copy start Orders New --compare-only", "--compare-only; skipscan copy compare TABLE TO does it"),
        ("copy compare Orders New --dry-run --follow", "leave out --follow, or, to compare, leave out --dry-run"),
        ("retrofit Orders", "--set is missing: give it as --set 'resource-action={resourceId}-{action}'"),
    ],
)
def test_a_refusal_names_options_alone(arguments: str, said: str, two_environments: Path) -> None:
    done = invoke(*arguments.split(), "--env", "dev", "--region", "us-east-1")
    assert (done.status, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("kind", "elsewhere"),
    [
        ("run", {"table", "resume", "overlap", "profile"}),
        ("act", {"table", "run", "dry_run", "resume"}),
        ("retrofit", {"table", "dry_run", "resume"}),
        ("copy", {"table", "to", "resume", "compare_only"}),
    ],
)
def test_every_field_of_an_input_has_an_option(kind: str, elsewhere: set[str]) -> None:
    """`elsewhere`: fields of arguments, of --for-real, of `skipscan resume` and `profile`, and of schedules."""
    options = option_names(kind)
    assert {
        field.name for field in KINDS[kind].fields if option_name(field.name).partition("/")[0] not in options
    } == elsewhere


def test_a_profile_is_not_that_of_the_aws_configuration() -> None:
    """`status` and `runs` show the refusal of an execution that the console started."""
    with pytest.raises(InputError) as raised:
        parse({"table": "Orders", "index": "by-status", "profile": True})
    assert "--profile" not in as_options(raised.value.text, option_names("run"))


def test_a_value_is_not_rewritten_even_if_it_is_cut_short() -> None:
    value = {"max_dollars": 5, "x": "leave set out and segments is " + '"true"' * 20}
    refused = InputError(
        "set", value, "a resumed retrofit keeps its plan", leave_out("set"), others={"resume": "set is"}
    )
    shown = json.dumps(value)[:97] + "..."
    said = f'--set is {shown} and resume is "set is"; a resumed retrofit keeps its plan: leave out --set'
    assert as_options(refused.text, option_names("retrofit")) == said


@pytest.fixture
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")


def failed(error: SkipscanError, *, page: str | None = None) -> tuple[Execution, Executions]:
    """Return an execution that the state machine ended with an error, and the state machine."""
    sfn = boto3.client("stepfunctions", "us-east-1")
    answer = {"error": type(error).__name__, "cause": str(error), "refusal": {**error.to_json(), "page": page}}
    entered = {"name": "Plan refused", "input": json.dumps(answer)}
    at = datetime(2026, 1, 31, tzinfo=UTC)
    events = [
        {"timestamp": at, "type": "ExecutionFailed", "id": 9, "executionFailedEventDetails": {"error": "any"}},
        {"timestamp": at, "type": "FailStateEntered", "id": 8, "stateEnteredEventDetails": entered},
    ]
    stubber = Stubber(sfn)
    arn = "arn:aws:states:us-east-1:111111111111:execution:skipscan-dev:r"
    asked = {"executionArn": arn, "reverseOrder": True, "maxResults": 2}
    stubber.add_response("get_execution_history", {"events": events}, asked)
    stubber.activate()
    execution = Execution("r", arn, "FAILED", at, {}, error=type(error).__name__, cause=str(error))
    return execution, Executions(sfn, arn.rpartition(":")[0])


@pytest.mark.usefixtures("credentials")
def test_the_cause_of_a_run_names_options() -> None:
    remedy = f"use {named('take.first')}, which can be any item, or {leave_out('index')}"
    error = InputError("take.last", OMITTED, 'is given; index "by-day" has no sort key', remedy)
    assert str(error).endswith("no sort key: use take.first, which can be any item, or leave index out")
    assert why(*failed(error, page="https://x/errors.md")) == (
        'InputError: --last is given; index "by-day" has no sort key: use --first, which can be any item, or leave '
        "out --index (see https://x/errors.md)"
    )


@pytest.mark.usefixtures("credentials")
def test_the_cause_of_a_used_up_budget_leaves_how_it_goes_on_to_the_command() -> None:
    error = BudgetError("the budget", OMITTED, f"is {named('max_dollars')} 5", give("resume", "r"))
    assert why(*failed(error)) == "BudgetError: the budget is --max-dollars 5"


@pytest.mark.usefixtures("credentials")
def test_a_cause_whose_history_may_not_be_read_is_shown_in_fields() -> None:
    sfn = boto3.client("stepfunctions", "us-east-1")
    at = datetime(2026, 1, 31, tzinfo=UTC)
    execution = Execution("r", "arn", "FAILED", at, {}, error="InputError", cause="max_dollars is 0; ...")
    with Stubber(sfn) as stubber:
        stubber.add_client_error("get_execution_history", "AccessDeniedException")
        assert why(execution, Executions(sfn, "arn")) == "InputError: max_dollars is 0; ..."


@pytest.fixture
def two_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a cdk.json of two environments, and no environment in the variables."""
    monkeypatch.delenv("SKIPSCAN_ENV", raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cdk.json").write_text(json.dumps({"context": {"environments": {"prod": {}, "dev": {}}}}))
    return tmp_path


@pytest.mark.parametrize("command", [["status", "Orders"], ["report", "Orders"], ["act", "Orders", "r"]])
def test_a_missing_environment_is_refused_with_the_known_ones(two_environments: Path, command: list[str]) -> None:
    done = invoke(*command)
    assert done.status == 2
    said = (
        "Missing option '--env' / '-e': give a deployed environment (cdk.json here has dev, prod), or set SKIPSCAN_ENV"
    )
    assert said in " ".join(done.stderr.split())
    (two_environments / "cdk.json").write_text("[]")
    unknown = "give a deployed environment (the stack of an environment is skipscan-ENV), or set SKIPSCAN_ENV"
    assert unknown in " ".join(invoke(*command).stderr.split())


@pytest.fixture
def stacks(two_environments: Path, credentials: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stubber]:
    """A region with stacks of two environments and others, and no cdk.json in the folder."""
    (two_environments / "cdk.json").unlink()
    cloudformation = boto3.client("cloudformation", "eu-west-1")
    monkeypatch.setattr(executions, "cloudformation_client", lambda session, config: cloudformation)
    with Stubber(cloudformation) as stubber:
        names = ("skipscan-prod", "shop-skipscan-x", "skipscan-a_b", "shop", "skipscan-", "skipscan-dev")
        stubber.add_response("list_stacks", {"StackSummaries": [summary(name) for name in names]})
        yield stubber


def summary(name: str) -> dict[str, object]:
    return {"StackName": name, "CreationTime": datetime(2026, 1, 31, tzinfo=UTC), "StackStatus": "CREATE_COMPLETE"}


@pytest.mark.usefixtures("stacks")
def test_without_cdk_json_a_missing_environment_is_answered_with_the_deployed_ones() -> None:
    said = " ".join(invoke("status", "Orders").stderr.split())
    assert "give a deployed environment (deployed here: dev, prod), or set SKIPSCAN_ENV" in said


@pytest.mark.usefixtures("stacks")
def test_without_cdk_json_the_deployed_environments_are_completed() -> None:
    assert completed("status", "Orders", "--env", "p") == ["prod"]


def test_a_denied_list_of_stacks_names_no_environment(stacks: Stubber) -> None:
    stacks.add_client_error("list_stacks", "AccessDenied")
    assert completed("status", "Orders", "--env", "") == ["dev", "prod"]
    assert completed("status", "Orders", "--env", "") == []


def completed(*arguments: str) -> list[str]:
    *before, incomplete = arguments
    found = ShellComplete(skipscan, {}, "skipscan", "_SKIPSCAN_COMPLETE").get_completions(before, incomplete)
    return [item.value for item in found]


def test_environments_are_completed(two_environments: Path) -> None:
    assert completed("status", "Orders", "--env", "") == ["dev", "prod"]
    assert completed("run", "Orders", "-e", "p") == ["prod"]


def test_without_an_environment_nothing_is_completed(two_environments: Path) -> None:
    assert completed("status", "") == []
    assert completed("status", "Orders", "") == []


def test_the_three_most_used_options_are_short() -> None:
    with click.Context(skipscan) as context:
        run = skipscan.get_command(context, "run")
    assert run is not None
    assert {short for option in run.params for short in option.opts if len(short) == 2} == {"-e", "-f", "-o"}


@pytest.mark.parametrize("text", ['{"format": "%Y", "ago": "1d"}', ' {"previous": true, "format": "iso"}'])
def test_a_bound_that_is_a_time_is_an_object_and_other_text_stays(text: str) -> None:
    assert _bound(text) == json.loads(text)
    for other in (None, "", "2026", "{", '{"S": "a"}', '["ago"]'):
        assert _bound(other) == other
