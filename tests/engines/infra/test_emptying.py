"""A bucket is emptied only where cdk.json and the deployed stack both say that it goes, and a person says so too."""

import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.bundle import ROOT
from infra.emptying import empty
from infra.environment import Environment
from infra.target import CDK_JSON, environment_named
from skipscan.environment.executions import Deployment
from skipscan.errors import InputError
from tests.fakes.faulty import faulty
from tests.fakes.services import Stacks
from tests.refusal import refused

pytestmark = pytest.mark.engine

MACHINE = "arn:aws:states:us-east-1:{}:stateMachine:skipscan"
OBJECTS = 5
LOCAL = environment_named("local", CDK_JSON.read_bytes())
"""The environment of cdk.json that does not keep its results."""
DEPLOYED = Deployment("local", "results", {"run": MACHINE.format(LOCAL.account)})


@dataclass
class Account:
    """Moto's S3, and a stack."""

    session: Any = field(default_factory=lambda: boto3.Session("test", "test", region_name="us-east-1"))
    stack: Any = field(default_factory=lambda: Stacks("skipscan-local", None))

    def client(self, service: Any) -> Any:
        return self.stack if service == "cloudformation" else self.session.client(service)

    def resource(self, service: Any) -> Any:
        return self.session.resource(service)

    def deploy(self, environment: Environment, policy: str) -> None:
        outputs = {"StateMachineArn": MACHINE.format(environment.account), "BucketName": "results"}
        bucket = {"Type": "AWS::S3::Bucket", "DeletionPolicy": policy}
        template = json.dumps({"Resources": {"Results": bucket, "Logs": {"Type": "AWS::Logs::LogGroup"}}})
        stack = Stacks(environment.deployment, outputs)
        self.stack = faulty(stack, {"get_template": repeat({"TemplateBody": template})}, "cloudformation")
        s3 = self.client("s3")
        s3.create_bucket(Bucket="results")
        for number in range(OBJECTS):
            s3.put_object(Bucket="results", Key=f"skipscan/Orders/runs/run/{number}", Body=b"")

    @property
    def left(self) -> int:
        return len(list(self.resource("s3").Bucket("results").objects.all()))


@pytest.fixture
def emptied_account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Account]:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "2")  # so that a bucket has pages
    with mock_aws():
        yield Account()


def says(answer: str | type[Exception]) -> Callable[[str], str]:
    def ask(question: str) -> str:
        assert "bucket results" in question
        if isinstance(answer, str):
            return answer
        raise answer

    return ask


def nobody(_: str) -> str:
    raise AssertionError("nobody is to be asked")


# EOFError: what `input` raises in a pipeline.
@pytest.mark.parametrize("answer", ["", "yes", "prod", EOFError])
def test_nothing_is_removed_without_a_confirmation(emptied_account: Account, answer: str | type[Exception]) -> None:
    emptied_account.deploy(LOCAL, "Delete")
    with refused(InputError, "the name", way=r"\blocal\b"):
        empty(LOCAL, DEPLOYED, emptied_account, says(answer))
    assert emptied_account.left == OBJECTS


def test_a_stack_of_another_account_or_one_that_was_deployed_to_keep_results_keeps_them(
    emptied_account: Account,
) -> None:
    emptied_account.deploy(LOCAL, "Retain")
    with refused(InputError, "the credentials", rule="000000000000.* local .*999999999999"):
        empty(replace(LOCAL, account="999999999999"), DEPLOYED, emptied_account, nobody)
    with refused(InputError, "keep_results", False, rule="keep_results true", way="make deploy ENV=local"):
        empty(LOCAL, DEPLOYED, emptied_account, nobody)
    assert emptied_account.left == OBJECTS


@pytest.mark.parametrize(
    ("name", "policy", "said", "left"),
    [
        ("local", "Delete", f"{OBJECTS} objects removed\n", 0),
        ("local", None, "", None),
        (
            "dev",
            "Retain",
            "What stays: bucket results with all results. To remove them as well: aws s3 rb --force s3://results\n",
            OBJECTS,
        ),
    ],
)
def test_the_program_says_what_goes_or_stays_and_nothing_where_nothing_is_deployed(
    *,
    emptied_account: Account,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    policy: str | None,
    said: str,
    left: int | None,
) -> None:
    if policy:
        emptied_account.deploy(environment_named(name, CDK_JSON.read_bytes()), policy)
    monkeypatch.setattr(boto3, "Session", lambda *, region_name: emptied_account)
    monkeypatch.setattr("builtins.input", says(name) if policy == "Delete" else nobody)
    monkeypatch.setattr(sys, "argv", ["emptying", name])
    monkeypatch.delitem(sys.modules, "infra.emptying")  # runpy warns of a module that was imported before
    runpy.run_module("infra.emptying", run_name="__main__")
    assert capsys.readouterr().out == said
    assert left is None or emptied_account.left == left


@pytest.mark.parametrize(
    ("ends", "called"), [("0", ["empty", "destroy"]), ("1 0", ["empty", "destroy", "empty", "destroy"])]
)
def test_a_bucket_that_was_written_to_meanwhile_is_emptied_again(tmp_path: Path, ends: str, called: list[str]) -> None:
    """CloudFormation removes the functions before the bucket that they write to, so nothing writes the second time."""
    log, left = tmp_path / "log", tmp_path / "ends"
    left.write_text("\n".join(ends.split()) + "\n")
    place = os.path.relpath(tmp_path, ROOT)  # as make's own programs are named: the checkout's name may have a space
    programs = {
        "python": f'case "$*" in *emptying*) echo empty >> {place}/log;; esac',
        "cdk": f'echo destroy >> {place}/log; end=$(head -1 {place}/ends); sed -i 1d {place}/ends; exit "$end"',
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    old = (".venv/.installed-itself", "tools/node_modules/.installed", f"{place}/python")
    made = [f"--old-file={path}" for path in old]
    command = ["make", "destroy", "ENV=local", f"BIN={place}", f"CDK={place}/cdk", *map(str, made)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert log.read_text().split() == called
