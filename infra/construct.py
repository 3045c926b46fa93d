"""Skipscan as a construct for the stacks of another CDK app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from aws_cdk import CfnResource, Stack, Token
from aws_cdk import aws_iam as iam
from constructs import Construct

from skipscan.inputs.names import TABLE_ARN

from . import bundle
from .cdk_json import read_environments
from .company import boundary_account
from .environment import Environment
from .known_tables import KnownTables, Table
from .mixin import SkipscanTable
from .results_bucket import PREFIX
from .section import CdkJsonError
from .stack import Deployment
from .writing import Writing

STAND_IN = {"account": "000000000000", "region": "us-east-1"}
"""Placeholders for an account and region that are only known at deployment."""


class Skipscan(Deployment):
    """The state machine that lists the distinct partition keys of tables, and the bucket of its results.

    `name`: 1 to 24 of a-z, A-Z, 0-9 and -, unique in its account and region: every resource is named
    `skipscan-<name>…`. `tables`: constructs, names or ARNs. `markers`: mixins of some of the tables, whose markers are
    kept. `settings`: any other field of an environment in cdk.json, under its name there. Raises `CdkJsonError` with
    the field, the rule and the way out.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        name: str,
        tables: Sequence[Table],
        markers: Sequence[SkipscanTable] = (),
        keep_results: bool = True,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        environment = environment_in(Stack.of(scope), name, tables, settings or {}, markers)
        environment = replace(environment, keep_results=keep_results)
        super().__init__(scope, id, environment=environment, code=bundle.code(scope))

    def grant_start(self, grantee: iam.IGrantable) -> iam.Grant:
        """Grant the right to start runs."""
        return self.state_machine.grant_start_execution(grantee)

    def grant_read_results(self, grantee: iam.IGrantable) -> iam.Grant:
        """Grant the right to read the manifests and keys of all runs."""
        return self.bucket.grant_read(grantee, f"{PREFIX}/*")


def environment_in(
    stack: Stack,
    name: str,
    tables: Sequence[Table],
    settings: Mapping[str, object],
    markers: Sequence[SkipscanTable] = (),
) -> Environment:
    """Return the environment of that name in a stack; raise `CdkJsonError`."""
    known = KnownTables.of(stack, tables)
    settings = known.named_in(name, settings)
    seen: dict[str, object] = {"account": stack.account, "region": stack.region, "tables": list(known.checked)}
    if Token.is_unresolved(stack.account) or Token.is_unresolved(stack.region):
        monitoring = settings.get("monitoring")
        topic = {"monitoring"} if isinstance(monitoring, Mapping) and "topic" in monitoring else set()
        if placed := sorted(settings.keys() & {"encryption", "writing"} | topic):
            raise CdkJsonError(
                f'"{name}": {" and ".join(placed)} must fit the account and region, which the stack does not know: '
                "give it both, env=Environment(account=…, region=…)"
            )
    if Token.is_unresolved(stack.account):
        seen["account"] = boundary_account(settings.get("permissions_boundary")) or STAND_IN["account"]
    if Token.is_unresolved(stack.region):
        elsewhere = [table.split(":")[3] for table in known.checked if TABLE_ARN.fullmatch(table)]
        seen["region"] = [*elsewhere, STAND_IN["region"]][0]
    if double := sorted(settings.keys() & {*seen, "keep_results"}):
        raise CdkJsonError(
            f'"{name}": {" and ".join(double)} cannot be settings; the stack, tables and keep_results define them: '
            "remove them"
        )
    try:
        [environment] = read_environments({name: {**settings, **seen}})
    except CdkJsonError as mistake:
        raise CdkJsonError(known.shown(str(mistake))) from None
    environment = known.deployed(environment)
    by_name = {environment.table_name(named): table for named, table in zip(known.named, tables, strict=True)}
    kept = _kept(stack, name, by_name, markers, environment.writing)
    keys = [
        key.key_arn for table in tables if not isinstance(table, str | CfnResource) and (key := table.encryption_key)
    ]
    encryption = replace(environment.encryption, tables=(*environment.encryption.tables, *keys))
    return replace(
        environment,
        account=stack.account,
        region=stack.region,
        encryption=encryption,
        writing=(*environment.writing, *kept),
    )


def _kept(
    stack: Stack, name: str, tables: Mapping[str, Table], markers: Sequence[SkipscanTable], others: Sequence[Writing]
) -> list[Writing]:
    """Return what may be written for mixins. `tables`: by their names. `others`: what the settings allow."""
    resources = {_resource(table): table_name for table_name, table in tables.items()}
    kept = [writing for each in markers for writing in each.keepers(stack, f'"{name}"', resources)]
    labels = [writing.name for writing in (*others, *kept)]
    if double := sorted({label for label in labels if labels.count(label) > 1}):
        raise CdkJsonError(
            f'"{name}": {" and ".join(double)} would be written to twice: remove one, in markers or writing; of two '
            "tables with the same id, give one a table_name"
        )
    return kept


def _resource(table: Table) -> str:
    """Return the path of the resource of a table; no path if this app does not create the table."""
    if isinstance(table, str):
        return ""
    resource = table if isinstance(table, CfnResource) else table.node.default_child
    return resource.node.path if resource else ""
