"""The algorithm of AWS's post "Generate a distinct set of partition keys for an Amazon DynamoDB table efficiently".

As in its Python sample: one item a page, one page after the other, through boto3's resource, with the projection of an
attribute that must be called `pk`. Only the keys that the sample would print are written to a list.
"""

import decimal
import time
from typing import Any

import boto3
import boto3.dynamodb.types
from botocore.exceptions import ClientError

MAX_SORT_KEY = {
    "S": 256 * chr(0x10FFFF),
    "N": decimal.Decimal("9.9999999999999999999999999999999999999E+125"),
    "B": boto3.dynamodb.types.Binary(b"\xff" * 1024),
}


def distinct_partition_keys(dynamodb: Any, table_name: str, most: int) -> list[Any]:
    """Return the partition keys that the sample prints, at most so many."""
    found = []
    table = dynamodb.Table(table_name)
    partition_key_name = table.key_schema[0]["AttributeName"]
    sort_key_name = table.key_schema[1]["AttributeName"]
    max_sort_key = MAX_SORT_KEY[table.attribute_definitions[1]["AttributeType"]]
    start_key = None
    while True:
        asked = {"TableName": table_name, "Limit": 1, "ProjectionExpression": "pk"}
        if start_key:
            asked["ExclusiveStartKey"] = start_key
        try:
            response = table.scan(**asked)
        except ClientError as error:
            if error.response["Error"]["Code"] not in ("InternalServerError", "ThrottlingException"):
                raise
            time.sleep(1)
            continue
        items = response["Items"]
        if len(items) > 0:
            found.append(items[0]["pk"])
        if "LastEvaluatedKey" not in response or len(found) == most:
            return found
        last = response["LastEvaluatedKey"]
        start_key = {partition_key_name: last[partition_key_name], sort_key_name: max_sort_key}
