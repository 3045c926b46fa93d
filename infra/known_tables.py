"""The tables of a construct: constructs, names or ARNs, some of which are only known at deployment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aws_cdk import CfnResource, Fn, Reference, Stack, Token, Tokenization
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from skipscan.inputs.names import TABLE_ARN

from .environment import Environment
from .grant import parts_of
from .mixin import called
from .section import CdkJsonError

Table = dynamodb.ITable | dynamodb.CfnTable | dynamodb.CfnGlobalTable | str

STAND_IN = "stand-in-{}-of-a-table"
"""What `read_environments` checks in place of a name that is only known at deployment. No message shows it."""


@dataclass(frozen=True)
class KnownTables:
    """`tables`: as they were given. `named`: their names or ARNs. `checked`: what `read_environments` gets for them.

    `named_by_arn`: the names of tables whose ARNs are only known at deployment, by these ARNs.
    """

    tables: tuple[Table, ...]
    named: tuple[str, ...]
    checked: tuple[str, ...]
    named_by_arn: Mapping[str, str]

    @classmethod
    def of(cls, stack: Stack, tables: Sequence[Table]) -> KnownTables:
        """Return the tables of a construct in that stack; raise `CdkJsonError`."""
        found = [_named(stack, table) for table in tables]
        named = tuple(text for text, _ in found)
        checked = tuple(STAND_IN.format(i) if Token.is_unresolved(text) else text for i, text in enumerate(named))
        return cls(tuple(tables), named, checked, {text: name for text, name in found if name})

    def named_in(self, name: str, settings: Mapping[str, object]) -> Mapping[str, object]:
        """Return the settings with the tables of schedules and writing under the names that are checked.

        There a table may be its construct, its name or its ARN, as in `tables`. Raises `CdkJsonError`.
        """
        changed = dict(settings)
        schedules, writing = settings.get("schedules"), settings.get("writing")
        if isinstance(schedules, Mapping):
            changed["schedules"] = {
                title: self._scheduled(f'"{name}": schedules.{title}.input.table', schedule)
                for title, schedule in schedules.items()
            }
        if isinstance(writing, Mapping):
            found = [(self._find(f'"{name}": a table of writing', table), what) for table, what in writing.items()]
            if len(changed_writing := dict(found)) < len(found):
                raise CdkJsonError(f'"{name}": writing has a table twice, under two names: remove one')
            changed["writing"] = changed_writing
        return changed

    def deployed(self, environment: Environment) -> Environment:
        """Return a checked environment with the tables as they are named at deployment."""
        real = dict(zip(self.checked, self.named, strict=True))
        return replace(
            environment,
            tables=self.named,
            schedules=tuple(
                replace(each, input={**each.input, "table": real.get(str(each.input["table"]), each.input["table"])})
                for each in environment.schedules
            ),
            writing=tuple(replace(each, table=real.get(each.table, each.table)) for each in environment.writing),
            named_by_arn=self.named_by_arn,
        )

    def shown(self, mistake: str) -> str:
        """Return a message with the tables as the author of the app knows them."""
        for i, (table, checked) in enumerate(zip(self.tables, self.checked, strict=True)):
            if checked == STAND_IN.format(i):
                mistake = mistake.replace(checked, f"tables.{i}" if isinstance(table, str) else table.node.path)
        return mistake

    def _scheduled(self, place: str, schedule: object) -> object:
        if not isinstance(schedule, Mapping) or not isinstance(document := schedule.get("input"), Mapping):
            return schedule
        if "table" not in document:
            return schedule
        return {**schedule, "input": {**document, "table": self._find(place, document["table"])}}

    def _find(self, place: str, requested: object) -> object:
        for table, named, checked in zip(self.tables, self.named, self.checked, strict=True):
            if requested is table or (isinstance(requested, str) and requested in {named, *_spellings(table)}):
                return checked
        if isinstance(requested, Construct) or (isinstance(requested, str) and Token.is_unresolved(requested)):
            raise CdkJsonError(f"{place} is none of tables: add this table to tables, or correct it")
        return requested


def _spellings(table: Table) -> Iterator[str]:
    """Yield the names and ARNs by which an app may mention a table."""
    if isinstance(table, str):
        return
    resource: Any = table if isinstance(table, CfnResource) else table.node.default_child
    if isinstance(table, CfnResource):
        yield from (table.ref, table.attr_arn)
    else:
        yield from (table.table_name, table.table_arn)
    if resource and resource.table_name:
        yield resource.table_name


def _named(stack: Stack, table: Table) -> tuple[str, str]:
    """Return a table's name, or its ARN if it may be in another account. Both may be tokens.

    Then its bare name, if that is an ARN which is only known at deployment.
    """
    if isinstance(table, str):
        _check_account(stack, table)
        return table, Fn.select(1, Fn.split("/", table)) if _is_unknown_arn(stack, table) else ""
    if isinstance(table, CfnResource):
        _check_account(stack, table.ref)
        return table.ref, ""
    if TABLE_ARN.fullmatch(table.table_arn):
        return table.table_arn, ""
    _refuse_account(stack, table.node.path, table.env.account)
    if not table.node.default_child and not table.table_arn.startswith("arn:"):
        return table.table_arn, table.table_name  # imported by an ARN, which knows the account and its name does not
    return table.table_name, ""


def _is_unknown_arn(stack: Stack, table: str) -> bool:
    if not Token.is_unresolved(table):
        return False
    match parts_of(stack.resolve(table)):
        case [{"Fn::GetAtt": [_, "Arn"]}]:
            return True
        case [str(first), *_]:
            return first.startswith("arn:")
    return False


def _check_account(stack: Stack, table: str) -> None:
    """Raise `CdkJsonError` for the name or ARN of a table that the app creates in another account."""
    token = Tokenization.reverse_string(table).first_token
    if isinstance(token, Reference):
        _refuse_account(stack, called(token.target).node.path, Stack.of(token.target).account)


def _refuse_account(stack: Stack, path: str, account: str) -> None:
    if not Token.is_unresolved(account) and account != stack.account:
        raise CdkJsonError(f"{path} is a table of account {account}, and the stack does not know its ARN: give the ARN")
