"""A DynamoDB table as a run reads it: described once, then scanned page by page."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError
from botocore.parsers import ResponseParserError

from skipscan.aws.answer import parse_count, parse_page
from skipscan.aws.clients import DynamoDBClient, is_aws
from skipscan.aws.faults import fault, is_denial
from skipscan.aws.unread import page_of, unread
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.page import Page, after, projection
from skipscan.dynamodb.table_description import KeyAttribute, TableDescription
from skipscan.errors import OMITTED, InputError, TableError, named
from skipscan.inputs.names import TABLE_ARN
from skipscan.loop.run_batch import Unread
from skipscan.loop.work import Planned, Work
from skipscan.pace.pace import MAY_PASS
from skipscan.scan.batch import Request
from skipscan.scan.plan import Plan
from skipscan.scan.taken import ITEM, Lookup


def describe(client: DynamoDBClient, table: str, near: Callable[[], str | None] = lambda: None) -> TableDescription:
    """Return a table's DescribeTable; raise `TableError` if there is none.

    Raises `InputError` for an ARN in another region, which DynamoDB would not search. `near`: finds the name that a
    person may have meant.
    """
    arn = TABLE_ARN.fullmatch(table)
    if arn and arn["region"] != client.meta.region_name:
        raise InputError(
            "table",
            table,
            f"a run reads tables of its own region only, {client.meta.region_name}",
            f"use {named('region')} {arn['region']}",
        )
    try:
        description = TableDescription.from_json(client.describe_table(TableName=table)["Table"])
    # An HTTP server that is no DynamoDB, behind --endpoint-url or a captive proxy, answers anything.
    except (KeyError, AttributeError, TypeError, ResponseParserError):
        raise _no_dynamodb(client) from None
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code.isdigit() and int(code) < 500:  # botocore's code for an HTTP error without a service's code
            raise _no_dynamodb(client) from None
        if code == "ResourceNotFoundException":
            raise TableError(
                "table",
                table,
                f"there is no such table in {client.meta.region_name}",
                f"did you mean {found}?" if (found := near()) else "check the name, the region and the account",
            ) from None
        if code == "AccessDeniedException":
            raise TableError(
                "table",
                table,
                "these credentials do not allow DescribeTable on it",
                "allow dynamodb:DescribeTable and dynamodb:Scan on it (a deployed environment: add it to the "
                "environment's tables in cdk.json and deploy again)",
            ) from None
        if code == "ValidationException":
            raise TableError(
                "table", table, f"DynamoDB in {client.meta.region_name} does not allow this name", "correct it"
            ) from None
        raise
    if not description.table_id and is_aws(client):  # emulators have none
        raise TableError(
            "table",
            table,
            "DescribeTable returned no TableId, without which a new table of the same name could be mistaken for it",
            "try again",
        )
    return description


def describe_if_allowed(
    client: DynamoDBClient, table: str, near: Callable[[], str | None] = lambda: None
) -> TableDescription | None:
    """Return a table's DescribeTable, as `describe` does; `None` without the permission."""
    try:
        return describe(client, table, near)
    except TableError as error:
        # `raise … from None` hides the refusal from a traceback, but keeps it as the context.
        refusal = error.__context__
        if isinstance(refusal, ClientError) and is_denial(refusal):
            return None
        raise


def check_tables(client: DynamoDBClient, work: Work[Planned]) -> None:
    """Raise `TableError` if a table of the work was deleted and created again since the plan."""
    for name, planned in work.plan.tables.items():
        planned.check(describe(client, name).identity, f"{work.label} {work.name}")


def _no_dynamodb(client: DynamoDBClient) -> TableError:
    return TableError(
        f"{client.meta.endpoint_url}",
        OMITTED,
        "does not speak DynamoDB (its answer to DescribeTable is not one of DynamoDB)",
        "correct --endpoint-url, or check the proxy in between",
    )


def has_recovery(client: DynamoDBClient, table: str) -> bool | None:
    """Return whether a table has point-in-time recovery; `None` if that cannot be read.

    Raises an error that may pass. DynamoDB answers ten such requests a second in an account (API reference,
    DescribeContinuousBackups).
    """
    try:
        answer = client.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    except ClientError as error:
        if fault(error) in MAY_PASS:
            raise
        return None
    return answer.get("PointInTimeRecoveryDescription", {}).get("PointInTimeRecoveryStatus") == "ENABLED"


class Table:
    """Scans one source as its plan says. Safe to use from several threads.

    `keys`: of a plan with only these, returns the values of each partition key by its number in their list.
    """

    def __init__(
        self, client: DynamoDBClient, plan: Plan, keys: Callable[[int], tuple[AttributeValue, ...]] | None = None
    ) -> None:
        self._client = unread(client)
        source = plan.source
        # An answer without units is taken for a truncated one (`consumed_units`), and the bill has no other source.
        self._common: dict[str, Any] = {"TableName": source.table, "ReturnConsumedCapacity": "TOTAL"}
        self._segments, self._groups = plan.segments, plan.groups
        self._keys, self._range, self._is_backwards = keys, plan.sort_range, plan.is_backwards
        if (keys is None) is not (plan.only is None):
            raise ValueError("a plan has its keys, or none")  # without them `ask` would list the whole table
        if source.index is not None:
            self._common["IndexName"] = source.index
        if plan.consistent_read:
            self._common["ConsistentRead"] = True
        query, sort_key = self._queries(plan)
        # Before the projection: Select may then only be SPECIFIC_ATTRIBUTES (API reference, Query, "Select").
        self._counted = {**query, "Select": "COUNT"}, sort_key
        if plan.projected is not None:
            self._common |= projection(plan.projected)
        self._queried = self._queries(plan)

    def _queries(self, plan: Plan) -> tuple[dict[str, Any], str]:
        """Return the parameters of every Query in a collection, and the placeholder for a condition on the sort key."""
        # A name has one placeholder in all expressions of a request.
        placeholders: dict[str, str] = {
            name: each for each, name in self._common.get("ExpressionAttributeNames", {}).items()
        }

        def placeholder(attribute: KeyAttribute) -> str:
            return placeholders.setdefault(attribute.name, f"#q{len(placeholders)}")

        source = plan.source
        conditions = [f"{placeholder(key)} = :p{number}" for number, key in enumerate(source.partition_key)]
        # Before the sort key has a placeholder: a name that no expression uses is refused.
        names = {each: name for name, each in placeholders.items()}
        # The first: in a local index the table's sort key follows the index's own.
        sort_key = placeholder(source.sort_key[0]) if source.sort_key else ""
        condition = " AND ".join(conditions)
        return {**self._common, "KeyConditionExpression": condition, "ExpressionAttributeNames": names}, sort_key

    def scan(self, request: Request) -> Page:
        """Return the page for a request."""
        page = self.ask(request)
        return page.read() if isinstance(page, Unread) else page

    def ask(self, request: Request) -> Page | Unread:
        """Return the page for a request, as bytes if the client can."""
        if request.lookup is not None:
            return self._query(request.lookup)
        if self._keys is not None:
            key = self._keys(request.segment)
            return self._query(Lookup(ITEM, key, self._range, request.start_key, request.limit, self._is_backwards))
        parameters = {
            **self._common,
            "TotalSegments": self._segments,
            "Segment": request.segment,
            **after(request.start_key),
        }
        if request.limit is not None:
            parameters["Limit"] = request.limit
        return page_of(self._client.scan(**parameters))

    def _query(self, lookup: Lookup) -> Page | Unread:
        """Return the first or the last item of a group, or count its items."""
        start_key = lookup.start_key
        if start_key is not None and self._groups.is_end(start_key, lookup.among, backwards=lookup.is_backwards):
            # A table refuses to begin at the end of the condition. Some engines end a page there with a
            # LastEvaluatedKey, and a stored cursor may stand there.
            # 0.0: no request is made. The batch counts one all the same.
            return Page((), None, 0.0)
        values = {f":p{number}": value for number, value in enumerate(lookup.key)}
        base, sort_key = self._counted if lookup.counts else self._queried
        # A copy: all threads share `base`. So the names below are replaced, not changed.
        parameters = dict(base)
        if lookup.among is not None:
            values |= lookup.among.values
            parameters["KeyConditionExpression"] += f" AND {lookup.among.condition(sort_key)}"
            # A placeholder that no expression uses is refused.
            parameters["ExpressionAttributeNames"] = {
                **parameters["ExpressionAttributeNames"],
                sort_key: lookup.among.attribute,
            }
        parameters |= {
            "ExpressionAttributeValues": values,
            "ScanIndexForward": not lookup.is_backwards,
            **after(lookup.start_key),
        }
        if lookup.limit is not None:
            parameters["Limit"] = lookup.limit
        return page_of(self._client.query(**parameters), parse_count if lookup.counts else parse_page)
