"""The deployed functions sent down every path, with every call of its functions and of the command line recorded."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from local import cdk
from local import table as tables
from local.checkout import ACCOUNT, BUILD, REGION
from local.dynalite import dynalite
from local.embedded import CONFIG, SESSION, Embedded
from local.execution import ExecutionError, execute
from local.ministack import ministack
from tests.engines.e2e.proxy import proxy
from tests.engines.iam.call import Call, in_words, read_calls
from tests.engines.iam.commands import QUEUE, use_the_command_line
from tests.engines.infra.template import Template
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition

STACK = "skipscan-iam"
ENVIRONMENT: dict[str, Any] = {"account": ACCOUNT, "region": REGION, "tables": ["Orders"], "limits": {"batch_pages": 4}}
ENVIRONMENT["client"] = "boto3"  # the recorder knows the calls of boto3 alone; the lean client's are of the same names
RECEIVER = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:receiver"
ENVIRONMENT["writing"] = {"Orders": {"act": True, "targets": [RECEIVER, QUEUE], "retrofit": True}}
STARTED = "2026-01-01T00:00:00Z"
ORDERS = TableDefinition(
    "Orders",
    KeySchema.of(("customer", "S"), ("order", "N")),
    (
        IndexDefinition("by-date", KeySchema.of(("customer", "S"), ("date", "S")), "local"),
        IndexDefinition("by-state", KeySchema.of(("state", "S"), ("order", "N"))),
        IndexDefinition("by-made", KeySchema.of(("made", "S"))),
    ),
)


@dataclass(frozen=True)
class Recording:
    """The template that was deployed, and the calls that were made in it."""

    template: Template
    calls: list[Call]


@dataclass(frozen=True)
class Deployed:
    """The deployment, to be started and to have its functions invoked out of turn."""

    account: Embedded
    outputs: Mapping[str, str]

    def execute(self, name: str, **document: Any) -> Mapping[str, Any]:
        return execute(self.account.stepfunctions, self.outputs["StateMachineArn"], document, name=name)

    def act(self, name: str, **document: Any) -> Mapping[str, Any]:
        asked = {"table": "Orders", "run": "whole", "dry_run": False, "without_recovery": True, **document}
        return execute(self.account.stepfunctions, self.outputs["ActStateMachineArn"], asked, name=name)

    def retrofit(self, name: str, **document: Any) -> Mapping[str, Any]:
        return execute(self.account.stepfunctions, self.outputs["RetrofitStateMachineArn"], document, name=name)

    def invoke(self, state: str, event: Mapping[str, Any]) -> dict[str, Any]:
        answer = self.account.awslambda.invoke(FunctionName=f"{STACK}-{state}", Payload=json.dumps(event))
        payload: dict[str, Any] = json.loads(answer["Payload"].read())
        assert "FunctionError" not in answer, payload
        return payload


@pytest.fixture(scope="session")
def recording() -> Iterator[Recording]:
    with TemporaryDirectory(dir=BUILD, prefix="iam-") as name, pytest.MonkeyPatch.context() as patched:
        folder = Path(name)
        cdk.write_app(folder, {"iam": ENVIRONMENT})
        patched.setenv("PYTHONPATH", str(Path(__file__).parent / "recorder"), prepend=os.pathsep)
        patched.setenv("SKIPSCAN_CALLS", str(folder / "calls.jsonl"))
        with dynalite() as engine, proxy() as dynamodb, ministack(dynamodb=dynamodb.url) as endpoint:
            dynamodb.upstream = engine
            account = Embedded(endpoint, dynamodb.url)
            deployed = Deployed(account, account.deploy("iam", folder=folder))
            load(account)
            take_every_path(deployed)
            use_the_command_line(account, dynamodb)
        template = Template(cdk.template(folder, "iam"))
        bucket = deployed.outputs["BucketName"]
        yield Recording(template, [in_words(call, bucket) for call in read_calls(folder / "calls.jsonl")])


def load(account: Embedded) -> None:
    tables.create(account.dynamodb, **ORDERS.request())
    for customer in range(20):
        for order in range(8):
            item = {"customer": f"c{customer}", "date": f"2026-01-{order + 1:02d}", "state": f"s{order % 3}"}
            attributes: Any = {name: {"S": value} for name, value in item.items()}
            account.dynamodb.put_item(
                TableName="Orders", Item={**attributes, "order": {"N": str(order)}, "body": {"B": bytes(1500)}}
            )


def take_every_path(deployed: Deployed) -> None:
    whole = deployed.execute("whole", table="Orders", segments=6, workers=2)
    deployed.execute("latest", table="Orders", segments=2, take={"last": ["body"]})
    deployed.execute("latest-of-index", table="Orders", index="by-state", segments=2, take={"last": "all"})
    deployed.execute("counted", table="Orders", segments=2, since=2, take={"count": {}}, strategy="skip")
    deployed.execute("index", table="Orders", index="by-state", segments=2)
    deployed.execute("sample-of-index", table="Orders", index="by-date", dry_run=True)
    deployed.execute("sample", table="Orders", dry_run=True)
    counted: Any = {"take": {"count": {}}, "dry_run": True}
    deployed.execute("sample-of-range", table="Orders", since=2, **counted)
    deployed.execute("sample-of-range-of-index", table="Orders", index="by-date", since="2026-01-03", **counted)
    deployed.execute("profiled", table="Orders", profile=True)
    deployed.execute("alone", table="Orders", segments=2, overlap="skip")

    with pytest.raises(ExecutionError, match="BudgetError"):
        deployed.execute("stopped", table="Orders", segments=6, workers=2, max_read_units=whole["read_units"] / 2)
    deployed.execute("resumed", table="Orders", resume="stopped")
    for run in ("stopped", "nobody"):
        with pytest.raises(ExecutionError, match="InputError"):
            deployed.execute(f"resume-{run}-again", table="Orders", resume=run)
    listing = {"table": "Orders", "segments": 2}
    again = {"input": listing, "name": "again", "execution": "arn:again", "started": STARTED}
    take_every_step_twice(deployed, "scan", "", again)
    compare_in_every_way(deployed)
    act_in_every_way(deployed)
    retrofit_in_every_way(deployed)


def compare_in_every_way(deployed: Deployed) -> None:
    """With a named run, with the previous one, with none; what is done is found again, and what is half done."""
    first = deployed.execute("first-of-index", table="Orders", index="by-state", compare="previous")
    assert first["diff"]["outcome"] == "compared", "run `index` listed the same"
    with pytest.raises(ExecutionError, match="InputError"):
        deployed.execute("of-nobody", table="Orders", compare="nobody")
    deployed.account.dynamodb.put_item(TableName="Orders", Item={"customer": {"S": "new"}, "order": {"N": "1"}})
    output = deployed.execute("compared", table="Orders", compare="whole")
    assert output["diff"]["new_keys"] == 1
    event = {name: output[name] for name in ("table", "run", "compare")}
    assert deployed.invoke("compare", event) == output["diff"]
    document = output["diff"]["document"].rpartition(deployed.outputs["BucketName"] + "/")[2]
    deployed.account.s3.delete_object(Bucket=deployed.outputs["BucketName"], Key=document)
    assert deployed.invoke("compare", event) == output["diff"]
    deployed.account.dynamodb.delete_item(TableName="Orders", Key={"customer": {"S": "new"}, "order": {"N": "1"}})


def act_in_every_way(deployed: Deployed) -> None:
    """Jobs over a run; the function that is called is not there, which is an answer as well."""
    SESSION.client("sqs", endpoint_url=deployed.account.endpoint, config=CONFIG).create_queue(QueueName="keys")
    marker = {"item": {"order": -1, "mark": "{customer}"}}
    whole = deployed.act("put", put_item=marker, workers=1)
    deployed.act("undo", undo="put")
    deployed.act("delete", delete_item={"key": {"order": 7}})
    deployed.act("send", send={"queue": QUEUE}, skip_ended=True)
    beyond: Any = {"take": {"items": "all", "beyond": 6}, "format": "dynamodb-jsonl"}
    deployed.execute("beyond", table="Orders", index="by-date", segments=2, **beyond)
    deployed.act("trim", run="beyond", delete_listed={})
    deployed.act("put-back", run="beyond", undo="trim")
    with pytest.raises(ExecutionError, match="BudgetError"):
        deployed.act("stopped", put_item=marker, max_write_units=whole["write_units"] / 2)
    deployed.act("resumed", resume="stopped", dry_run=None)
    with pytest.raises(ExecutionError, match="BudgetError"):  # to be looked at by the command line
        deployed.act("left-act", put_item=marker, max_write_units=whole["write_units"] / 2)
    for name in ("stopped", "nobody"):
        with pytest.raises(ExecutionError, match="InputError"):
            deployed.act(f"resume-{name}-again", resume=name, dry_run=None)

    asked = {
        "table": "Orders",
        "run": "whole",
        "put_item": marker,
        "dry_run": False,
        "workers": 1,
        "without_recovery": True,
    }
    event = {"input": asked, "name": "again", "execution": "arn:again", "started": STARTED}
    take_every_step_twice(deployed, "act", "-act", event)

    calling = {**asked, "invoke": {"function": RECEIVER}}
    del calling["put_item"], calling["without_recovery"]
    planned = deployed.invoke("plan-act", {**event, "input": calling, "name": "calls"})
    deployed.account.awslambda.invoke(
        FunctionName=f"{STACK}-act", Payload=json.dumps({"work": planned["work"], "worker": 0})
    )


def retrofit_in_every_way(deployed: Deployed) -> None:
    """Retrofits that are stopped, resumed and repeated, and one whose verification finds something wrong."""
    asked = {"table": "Orders", "set": {"made": "{customer}-{state}"}, "dry_run": False, "without_recovery": True}
    going_on = {"table": "Orders", "resume": "stopped", "without_recovery": True}
    deployed.retrofit("dry", table="Orders", set=asked["set"])
    with pytest.raises(ExecutionError, match="BudgetError"):
        deployed.retrofit("stopped", **asked, segments=4, max_write_units=20, count_indexes=True)
    with pytest.raises(ExecutionError, match="BudgetError"):  # to be looked at by the command line
        deployed.retrofit("left-retrofit", **{**asked, "set": {"left": "{customer}"}}, segments=4, max_write_units=20)
    resumed = deployed.retrofit("resumed", **going_on, max_read_units=10_000)
    assert resumed["indexes"]["by-made"]["entries"] == resumed["indexed"] > 0
    for name in ("stopped", "nobody"):
        with pytest.raises(ExecutionError, match="InputError"):
            deployed.retrofit(f"resume-{name}-again", **{**going_on, "resume": name})

    event = {
        "input": {**asked, "set": {"again": "{customer}-{state}"}, "workers": 1, "segments": 5},
        "name": "again",
        "execution": "arn:again",
        "started": STARTED,
    }

    def spoil(progress: Mapping[str, Any]) -> None:
        if progress["batch"] == 2:  # all is written, and some of it is verified
            forget(deployed.account, "again")

    assert take_every_step_twice(deployed, "retrofit", "-retrofit", event, spoil)["counts"]["wrong"] > 0


def forget(account: Embedded, attribute: str) -> None:
    """Take an attribute away from every item."""
    for item in account.dynamodb.scan(
        TableName="Orders", ProjectionExpression="customer,#o", ExpressionAttributeNames={"#o": "order"}
    )["Items"]:
        account.dynamodb.update_item(TableName="Orders", Key=dict(item), UpdateExpression=f"REMOVE {attribute}")


def take_every_step_twice(
    deployed: Deployed,
    turn: str,
    of: str,
    event: Mapping[str, Any],
    before: Callable[[Mapping[str, Any]], None] = lambda progress: None,
) -> Mapping[str, Any]:
    """Return a worker's last state. Retries: what a step left behind is found, and counts, when it is taken again.

    `before`: called before each turn but the first.
    """
    planned = deployed.invoke(f"plan{of}", event)
    assert deployed.invoke(f"plan{of}", event) == planned
    asked: dict[str, Any] = {"work": planned["work"], "worker": 0}
    progress = deployed.invoke(turn, asked)
    while not progress["done"]:
        before(progress)
        asked = {**asked, "progress": progress}
        progress = deployed.invoke(turn, asked)
    assert deployed.invoke(turn, asked) == progress
    reported = {"work": planned["work"], "reports": [progress["report"]]}
    done = deployed.invoke(f"finish{of}", reported)
    assert "manifest" in done
    assert deployed.invoke(f"finish{of}", reported) == done
    return progress
