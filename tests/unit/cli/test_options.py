"""What a command says in options, and what completes them."""

import json
from pathlib import Path

import click
import pytest

from skipscan.cli import complete, follow
from skipscan.cli.advice import as_options, option_name
from skipscan.cli.commands import COMMANDS, option_names, performed
from skipscan.cli.say import INTERRUPTED
from skipscan.cli.work_options import in_cdk_json, missing
from skipscan.environment import KINDS, executions
from skipscan.errors import (
    InputError,
    Mention,
    Use,
    give,
    leave_out,
    named,
)
from tests.house.suite.examples import ALL
from tests.unit.cli.conftest import Told
from tests.unit.cli.place import Place


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("run Orders --workers 20 --segments 4", "--workers is 20 and --segments is 4; every worker needs a segment"),
        ("run Orders --workers 20 --segments 4", ": lower --workers, raise --segments, or leave one of the two out"),
        (
            "run Orders --between 1 2 --since 3",
            '--between is ["1", "2"] and --since is "3"; a run has one range of sort keys: those with a '
            "prefix, or those between two values: leave out --between or --since",
        ),
        (
            "run Orders --format text --first a",
            '--format is "text"; it cannot hold items or counts: use jsonl, ',
        ),
        ("run --count Orders", "'Orders' is no number: give one, or write --count behind TABLE to count all"),
        ("run Orders --count --first a", "a run counts items or takes them: leave out --count or --first"),
        ("run Orders --max-dollars 1e-5", "--max-dollars is 0.00001; it must be a number, at least 0.0001 and at most"),
        ("run Orders --max-dollars 1e16", " 1000000000000000: correct it"),
        ("act Orders r --workers 2", "no action is given; a job has exactly one action: give one of --put-item, "),
        ("act Orders r --undo a --send {}", "--send and --undo are given; a job has exactly one action"),
        ("act Orders r --undo a --skip-ended", "--skip-ended is given; an undo checks every item"),
        ("act Orders r --undo a --skip-ended", "that it deletes anyway: leave out --skip-ended"),
        ("act Orders r --undo a --max-keys-per-second 1", "leave it out, or use --max-write-units-per-second"),
        (
            "copy Orders New --create",
            "copy has the steps start, compare: write skipscan copy start Orders New --create --env dev",
        ),
        ("copy Orders New --compare-only", "write skipscan copy compare Orders New --env dev"),
        ("copy Orders New --cut-over --json", "write skipscan copy compare Orders New --cut-over --json --env dev"),
        ("copy strat Orders New", "No such command 'strat'. Did you mean 'start'?"),
        ("copy compare Orders New --dry-run --follow", "leave out --follow, or, to compare, leave out --dry-run"),
        ("copy compare Orders New --dry-run --follow", "(see skipscan copy compare --help)"),
        ("retrofit Orders --set a=b --follow", "a gets the same text on every item; if an attribute was meant"),
        ("retrofit Orders", "--set is missing: give it as --set 'resource-action={resourceId}-{action}'"),
    ],
)
def test_a_refusal_names_options_alone(arguments: str, said: str, told: Told) -> None:
    done = told(*arguments.split(), "--env", "dev", "--region", "us-east-1")
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


def test_a_value_is_not_rewritten_even_if_it_is_cut_short() -> None:
    value = {"max_dollars": 5, "x": "leave set out and segments is " + '"true"' * 20}
    refused = InputError(
        "set", value, "a resumed retrofit keeps its plan", leave_out("set"), others={"resume": "set is"}
    )
    shown = json.dumps(value)[:97] + "..."
    said = f'--set is {shown} and resume is "set is"; a resumed retrofit keeps its plan: leave out --set'
    assert as_options(refused.text, option_names("retrofit")) == said


@pytest.fixture
def deployed_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of deployed environments, for a command in an empty folder."""
    names = ["prod", "preview"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(executions, "environment_names", lambda client: names)
    monkeypatch.setattr(executions, "cloudformation_client", lambda session, config: None)
    return names


def context() -> click.Context:
    return click.Context(click.Command("run"))


def offered(incomplete: str) -> list[str]:
    return complete.offered("environment", context(), incomplete)


def test_those_of_cdk_json_come_first(deployed_names: list[str]) -> None:
    Path("cdk.json").write_text(json.dumps({"context": {"environments": {"test": {}, "dev": {}}}}))
    assert in_cdk_json() == ["dev", "test"]
    assert "(cdk.json here has dev, test)" in missing(context())
    assert (offered(""), offered("t"), offered("p")) == (["dev", "test"], ["test"], [])


def test_else_those_that_are_deployed(deployed_names: list[str]) -> None:
    assert "(deployed here: prod, preview)" in missing(context())
    assert (offered(""), offered("pre")) == (["prod", "preview"], ["preview"])
    deployed_names.clear()
    assert "(the stack of an environment is skipscan-ENV)" in missing(context())


# Whatever an option or argument of any command is given, the answer is a message and a status.


ODD = ["", "nan", "1e400", "a\nb\udc80", '{"item": {"\\ud800": 1}}', "@/", "9" * 5000]
TWO = ["Orders", "Others"]
ARGUMENTS = {"copy start": TWO, "copy compare": TWO, "completion": ["bash"], "report": ["Orders"]}
FROM_HERE = {"plan", "keys", "completion"}


def interrupt(_seconds: float) -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in performed(*COMMANDS) if name not in FROM_HERE])
def test_an_odd_value_is_answered(name: str, place: Place, tmp_path_factory: pytest.TempPathFactory) -> None:
    place.monkeypatch.chdir(tmp_path_factory.mktemp("odd"))
    place.monkeypatch.setattr(follow, "sleep", interrupt)
    words = ARGUMENTS.get(name, ["Orders"])
    for place_of, parameter in enumerate(performed(*COMMANDS)[name].params):
        if isinstance(parameter, click.Option) and (parameter.is_flag or parameter.name == "env"):
            continue
        is_option = isinstance(parameter, click.Option)
        typed = [*words, parameter.opts[0]] if is_option else words[:place_of]
        for value in ODD if ALL or not is_option else ODD[place_of % 3 :: 3]:
            done = place.skipscan(*name.split(), *typed, value)
            assert done.status in (0, 1, 2, INTERRUPTED), (typed, value, done.stderr)
            assert "Traceback" not in done.stderr
            assert done.status in (0, INTERRUPTED) or done.stderr.startswith("skipscan: "), done.stderr
            assert len(done.stderr) < 1_500, done.stderr
