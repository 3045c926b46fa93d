"""The zip's functions under AWS's own runtime interface client in the embedded AWS, behind synth's state machine.

MiniStack calls whatever its own Python worker raises Runtime.HandlerError, so that no retrier by an error's name is
met. A function of a custom runtime keeps its error's name there: it speaks Lambda's Runtime API. So the zip gets a
bootstrap that starts the client.
"""

from __future__ import annotations

import io
import json
import re
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import pytest

from infra.bundle import ROOT, bundle
from local import table as tables
from local.checkout import ACCESS_KEY, ACCOUNT, REGION
from local.embedded import dynamodb_client
from local.ministack import ministack
from tests.engines.e2e.proxy import Call, Proxy, ProxyResponse, proxy
from tests.engines.infra.machines.definitions import ACCOUNT as MADE_UP
from tests.engines.infra.machines.definitions import definitions_in
from tests.engines.infra.runtime.runtime_api import SECONDS
from tests.engines.infra.runtime.test_runtime import handler_and_variables
from tests.engines.infra.template import Template

pytest.importorskip("awslambdaric", reason="the runtime interface client has wheels for Linux alone")
pytestmark = [
    pytest.mark.xdist_group("synth"),
    pytest.mark.long,
    pytest.mark.timeout(SECONDS, func_only=True),
]

BUCKET, TABLE, KEYS = "results", "Named", 7
ROLE = f"arn:aws:iam::{ACCOUNT}:role/any"
STATES = ("plan", "scan", "finish")
ASKED = {"table": TABLE, "segments": 1, "workers": 1}
SCANS = range(1, 3)
"""Of one attempt whose first Scan is refused: the lean client has boto3 ask again, unless the function's process has
made a Scan before. A state that is retried makes nine attempts."""
END_SECONDS = SECONDS / 2
BOOTSTRAP = f'#!/bin/sh\nexec "{sys.executable}" -m awslambdaric "$_HANDLER"\n'


def error(code: str) -> ProxyResponse:
    body = json.dumps({"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "no"}).encode()
    return ProxyResponse(400, body, (("Content-Type", "application/x-amz-json-1.0"), ("x-amzn-requestid", "1")))


@dataclass
class Deployed:
    """`errors`: the codes with which the next Scans of workers are refused. `scans`: the number of requests.

    `machine`, `worker`: the machine of runs, and the one of a single worker.
    """

    awslambda: Any
    sfn: Any
    machine: str
    worker: str
    between: Proxy
    errors: list[str] = field(default_factory=list)
    scans: int = 0

    def run(self, name: str, **more: object) -> dict[str, Any]:
        """Return a listing's execution when it has ended."""
        return self._ended(self.machine, name, {**ASKED, **more})

    def work(self, name: str) -> dict[str, Any]:
        """Return a worker's execution when it has ended."""
        event = {"input": ASKED, "name": name, "execution": f"arn:{name}", "started": "2026-01-01T00:00:00Z"}
        answer = self.awslambda.invoke(FunctionName="plan", Payload=json.dumps(event))["Payload"].read()
        return self._ended(self.worker, name, {"work": json.loads(answer)["work"], "worker": 0})

    def _ended(self, machine: str, name: str, document: object) -> dict[str, Any]:
        self.scans = 0
        arn = self.sfn.start_execution(stateMachineArn=machine, name=name, input=json.dumps(document))["executionArn"]
        deadline = time.monotonic() + END_SECONDS
        while (ended := self.sfn.describe_execution(executionArn=arn))["status"] == "RUNNING":
            assert time.monotonic() < deadline, "the execution goes on and on"
            time.sleep(0.1)
        found: dict[str, Any] = ended
        return found

    def answer(self, call: Call) -> ProxyResponse:
        if call.name == "Scan":
            self.scans += 1
            if self.errors:
                return error(self.errors.pop(0))
        return call.forward()


@pytest.fixture(scope="module")
def deployed(templates: Mapping[str, Template], dynalite: str, assembly: Path) -> Iterator[Deployed]:
    fill(dynalite)
    session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION)
    with proxy() as between, ministack(dynamodb=dynalite) as endpoint:
        between.upstream = dynalite
        awslambda = session.client("lambda", endpoint_url=endpoint)
        s3 = session.client("s3", endpoint_url=endpoint)
        sfn = session.client("stepfunctions", endpoint_url=endpoint)
        s3.create_bucket(Bucket=BUCKET)
        zipped = with_bootstrap(bundle(ROOT / "lambdas", ROOT / "build"))
        for state in STATES:
            handler, variables = handler_and_variables(templates, state)
            # Of DynamoDB's callers only the worker goes by the proxy.
            where = {"AWS_ENDPOINT_URL": endpoint, "AWS_ENDPOINT_URL_DYNAMODB": dynalite, "NO_PROXY": "127.0.0.1"}
            where["AWS_ENDPOINT_URL_PRICING"] = "http://127.0.0.1:9"  # no server is there; the engine takes seconds
            if state == "scan":
                where["AWS_ENDPOINT_URL_DYNAMODB"] = between.url
            awslambda.create_function(
                FunctionName=state,
                Runtime="provided.al2023",
                Role=ROLE,
                Handler=handler,
                Timeout=900,
                MemorySize=1769,
                Code={"ZipFile": zipped},
                Environment={"Variables": {**variables, **where, "SKIPSCAN_BUCKET": BUCKET}},
            )
        run = definition(templates)
        child = run["States"]["Workers"]["ItemProcessor"]
        worker = {name: child[name] for name in ("StartAt", "States")}
        machine_of_runs, machine_of_a_worker = (
            sfn.create_state_machine(name=name, definition=json.dumps(each), roleArn=ROLE)["stateMachineArn"]
            for name, each in {"run": run, "worker": worker}.items()
        )
        made = Deployed(awslambda, sfn, machine_of_runs, machine_of_a_worker, between)
        with between.failing(made.answer):
            yield made


def fill(dynalite: str) -> None:
    client = dynamodb_client(dynalite)
    tables.create(
        client,
        TableName=TABLE,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        BillingMode="PAY_PER_REQUEST",
    )
    for number in range(KEYS * 3):
        client.put_item(TableName=TABLE, Item={"pk": {"S": f"p{number % KEYS}"}, "sk": {"S": f"{number:02}"}})


def with_bootstrap(folder: Path) -> bytes:
    """Return the zip of a folder, with what a custom runtime is started by."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                file.write(path, path.relative_to(folder))
        bootstrap = zipfile.ZipInfo("bootstrap")
        bootstrap.external_attr = 0o755 << 16
        file.writestr(bootstrap, BOOTSTRAP)
    return zipped.getvalue()


def definition(templates: Mapping[str, Template]) -> Any:
    """Return the machine of runs as synth writes it, over the functions as named here; nothing is announced."""
    states = definitions_in(templates)["run"]
    states["States"]["Comparison asked?"]["Default"] = "Run done"
    text = json.dumps(states).replace(MADE_UP, ACCOUNT)
    return json.loads(re.sub(r"(:function:\w+):[^\"]+", r"\1", text))


def test_what_a_worker_raises_is_tried_again_by_the_states_own_retrier(deployed: Deployed) -> None:
    """An unknown code ends a batch as BatchError."""
    deployed.errors = ["SomethingElseException"] * 2
    ended = deployed.run("again")
    assert (ended["status"], json.loads(ended["output"])["keys"], deployed.errors) == ("SUCCEEDED", KEYS, [])


def test_permanent_errors_are_not_retried_and_keep_their_names(deployed: Deployed) -> None:
    """The Map's child runs as an execution of its own, which it is in Step Functions."""
    deployed.errors = ["AccessDeniedException"] * 20
    ended = deployed.work("denied")
    assert (ended["status"], ended["error"]) == ("FAILED", "DeniedError")
    assert "allow Scan on" in ended["cause"]
    assert deployed.scans in SCANS, "the retrier of that name has no attempts"


def test_a_run_ends_with_its_first_permanent_error(deployed: Deployed) -> None:
    deployed.errors = ["AccessDeniedException"] * 20
    ended = deployed.run("ended")
    assert (ended["status"], ended["error"]) == ("FAILED", "States.ExceedToleratedFailureThreshold")
    assert deployed.scans in SCANS


def test_a_mistake_of_the_input_fails_under_its_name(deployed: Deployed) -> None:
    ended = deployed.run("mistaken", segments=0)
    assert (ended["status"], ended["error"], deployed.scans) == ("FAILED", "InputError", 0)
