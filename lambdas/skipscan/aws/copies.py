"""Where an environment lets a table be copied to, and how a copy goes on."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from skipscan.aws.results import Results
from skipscan.aws.standing_work import standing_plan
from skipscan.aws.table import describe
from skipscan.copy.input import CopyInput
from skipscan.copy.job import CopyJob
from skipscan.copy.new_table import new_table
from skipscan.copy.replica import Replica
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from skipscan.inputs.names import table_name

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def replica_of(asked: CopyInput, description: TableDescription, replicas: str) -> Replica:
    """Return the pair that the environment names for the table; `replicas`: a JSON list of `Replica` documents.

    Raises `TableError` if it names none, or another target than the one asked for.
    """
    name = description.name
    for document in json.loads(replicas):
        replica = Replica.from_json(document)
        if replica.source in (name, description.arn):
            if asked.to not in (replica.target, table_name(replica.target)):
                raise TableError(
                    f'to is "{asked.to}"; this environment copies table "{name}" to {table_name(replica.target)}, and '
                    "its replicator follows there: name that table, or change it in cdk.json and deploy"
                )
            return replica
    raise TableError(
        f'table is "{name}"; this environment copies it nowhere: add "writing": {{"{name}": {{"copy": '
        '{"to": "<target>", "stream": "<ARN>"}}} to it in cdk.json, and deploy'
    )


def target_of(
    client: "DynamoDBClient", asked: CopyInput, replica: Replica, description: TableDescription
) -> TableDescription:
    """Return the target's description; where it is to be created, make it, or for a dry run tell what it would be."""
    name = table_name(replica.target)
    try:
        return describe(client, replica.target)
    except TableError:
        if not asked.create:
            raise
    parameters = new_table(description, name)
    if asked.dry_run:
        billing = {"BillingModeSummary": {"BillingMode": parameters["BillingMode"]}}
        return TableDescription.from_json({**parameters, **billing, "TableStatus": "ACTIVE"})
    client.create_table(**parameters)
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 2, "MaxAttempts": 60})
    client.update_continuous_backups(
        TableName=name, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    return describe(client, replica.target)


def resume(
    asked: CopyInput,
    replica: Replica,
    description: TableDescription,
    target: TableDescription,
    *,
    results: Results,
    prices: Prices,
) -> CopyJob:
    """Return the copy that is to go on, with the rates and budgets that are asked for now.

    Raises `InputError` if there is no such copy, it was a dry run, or it is complete; `TableError` if the table's
    keys have changed, or what the environment says of the pair.
    """
    standing = CopyJob.from_json(standing_plan(asked.resume, CopyJob.noun, f'table "{asked.table}"', results))
    if standing.plan.replica != replica:
        raise TableError(
            f'resume is "{asked.resume}"; the environment has another target, stream or set for the table since: start '
            "a new copy; what is there already and right costs a write unit per KB and is not put again"
        )
    return replace(standing, plan=standing.plan.resumed(asked, description, target, prices))
