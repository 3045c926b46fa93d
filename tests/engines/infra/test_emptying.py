"""A bucket is emptied only where cdk.json and the deployed stack both say that it goes, and a person says so too."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.bundle import ROOT
from infra.cdk_json import read_environments
from infra.emptying import empty
from infra.environment import Environment
from skipscan.errors import InputError
from tests.fakes.faulty import faulty
from tests.fakes.services import Stacks
from tests.refusal import refused

pytestmark = pytest.mark.engine

ACCOUNT = "123456789012"
OBJECTS = 5


@pytest.fixture
def environment() -> Environment:
    place = {"account": ACCOUNT, "region": "us-east-1", "tables": ["Orders"], "keep_results": False}
    [read] = read_environments({"dev": place})
    return read


@dataclass
class Account:
    """Moto's S3, and a stack."""

    session: Any = field(default_factory=lambda: boto3.Session("test", "test", region_name="us-east-1"))
    stack: Any = field(default_factory=lambda: Stacks("skipscan-dev", None))

    def client(self, service: Any) -> Any:
        return self.stack if service == "cloudformation" else self.session.client("s3")


@pytest.fixture
def emptied_account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Account]:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "2")  # so that a bucket has pages
    with mock_aws():
        yield Account()


def deploy(account: Account, policy: str) -> None:
    arn = f"arn:aws:states:us-east-1:{ACCOUNT}:stateMachine:skipscan-dev"
    stack = Stacks("skipscan-dev", {"StateMachineArn": arn, "BucketName": "results"})
    bucket = {"Type": "AWS::S3::Bucket", "DeletionPolicy": policy}
    template = json.dumps({"Resources": {"Results": bucket, "Logs": {"Type": "AWS::Logs::LogGroup"}}})
    account.stack = faulty(stack, {"get_template": repeat({"TemplateBody": template})}, "cloudformation")
    s3 = account.session.client("s3")
    s3.create_bucket(Bucket="results")
    for number in range(OBJECTS):
        s3.put_object(Bucket="results", Key=f"skipscan/Orders/runs/run/{number}", Body=b"")


def left(account: Account) -> int:
    pages = account.session.client("s3").get_paginator("list_objects_v2").paginate(Bucket="results")
    return sum(page["KeyCount"] for page in pages)


def says(answer: str) -> Callable[[str], str]:
    def ask(question: str) -> str:
        assert "bucket results" in question
        return answer

    return ask


def nobody(_: str) -> str:
    raise AssertionError("nobody is to be asked")


def test_all_results_are_removed_only_with_the_setting_and_a_confirmation(
    emptied_account: Account, environment: Environment
) -> None:
    deploy(emptied_account, "Delete")
    for answer in ("", "yes", "prod"):
        with refused(InputError, "the name", way=r"\bdev\b"):
            empty(environment, emptied_account, says(answer))
    with refused(InputError, "the credentials", rule="123456789012.* dev .*999999999999"):
        empty(replace(environment, account="999999999999"), emptied_account, nobody)
    assert "What stays" in empty(replace(environment, keep_results=True), emptied_account, nobody)
    assert left(emptied_account) == OBJECTS
    assert emptied_account.session.client("s3").list_objects_v2(Bucket="results")["IsTruncated"]
    assert empty(environment, emptied_account, says("dev")) == f"{OBJECTS:,} objects removed"
    assert left(emptied_account) == 0


def test_without_a_terminal_nothing_is_removed(emptied_account: Account, environment: Environment) -> None:
    deploy(emptied_account, "Delete")

    def ended(_: str) -> str:
        raise EOFError  # what `input` raises in a pipeline

    with refused(InputError, "the name", way=r"\bdev\b"):
        empty(environment, emptied_account, ended)
    assert left(emptied_account) == OBJECTS


def test_a_stack_that_was_deployed_to_keep_them_keeps_them(emptied_account: Account, environment: Environment) -> None:
    deploy(emptied_account, "Retain")
    with refused(InputError, "keep_results", False, rule="keep_results true", way="make deploy ENV=dev"):
        empty(environment, emptied_account, nobody)
    assert left(emptied_account) == OBJECTS


def test_where_nothing_is_deployed_there_is_nothing_to_empty(
    emptied_account: Account, environment: Environment
) -> None:
    assert empty(environment, emptied_account, nobody) == ""


@pytest.mark.parametrize(
    ("ends", "called"),
    [("0", ["empty", "destroy"]), ("1 0", ["empty", "destroy", "empty", "destroy"])],
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


def test_results_that_are_kept_are_named_before_the_stack_goes(
    environment: Environment, emptied_account: Account
) -> None:
    keeping = replace(environment, keep_results=True)
    assert empty(keeping, emptied_account, nobody) == ""
    deploy(emptied_account, "Retain")
    said = empty(keeping, emptied_account, nobody)
    assert "bucket results with all results" in said
    assert "aws s3 rb --force s3://results" in said
