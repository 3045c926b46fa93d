"""One item, read or written by a step: the only place that makes such requests, and that reads their answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws.answer import consumed_units, parse_page
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import code_of, fault
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.page import Progression, projection
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import WRITTEN, Answer, Conflict, First, Get, Refused, Unless, Write
from skipscan.dynamodb.write_units import write_units
from skipscan.pace.pace import Fault


def do(client: DynamoDBClient, step: Get | First | Write) -> Answer:
    """Return the answer to a step; raises what DynamoDB raises unless it concerns this write alone."""
    parameters: dict[str, Any] = {"TableName": step.table, "ReturnConsumedCapacity": "TOTAL"}
    match step:
        case Get():
            return _get(client, step, parameters)
        case First():
            return _first(client, step, parameters)
        case Write():
            return _write(client, step, parameters)


def _get(client: Any, get: Get, parameters: dict[str, Any]) -> Answer:
    if get.names:
        parameters |= projection(get.names, "p")
    answer = client.get_item(**parameters, Key=get.key, ConsistentRead=True)
    units = consumed_units(answer)  # or a truncated answer would say that there is no item
    return Answer(answer.get("Item"), read_units=units)


def _first(client: Any, first: First, parameters: dict[str, Any]) -> Answer:
    """Return the first items that a Query finds.

    A page may be empty and not the last one: only an answer without LastEvaluatedKey says that there are no more items
    (API reference, Query, "LastEvaluatedKey").
    """
    ((name, value),) = first.key.items()
    names = (name, *first.names)
    parameters |= projection(names, "p")
    parameters |= {
        "KeyConditionExpression": "#p0 = :k",
        "ExpressionAttributeValues": {":k": value},
        "ConsistentRead": first.is_consistent,
    }
    if first.is_backwards:
        parameters["ScanIndexForward"] = False
    if first.through is not None:
        parameters["IndexName"] = first.through
    if first.among is not None:
        place = names.index(first.among.attribute)
        parameters["KeyConditionExpression"] += f" AND {first.among.condition(f'#p{place}')}"
        parameters["ExpressionAttributeValues"] |= first.among.values
    items, units = list[Item](), list[float]()
    progression = Progression()
    while True:
        # It refuses a truncated answer, which looks like the end.
        found = parse_page(client.query(**parameters, Limit=first.most))
        units.append(found.read_units)
        items += found.items
        if len(items) >= first.most or found.last_evaluated_key is None:
            return Answer(items[: first.most], read_units=sum(units), requests=len(units))
        progression.check(found.last_evaluated_key)
        parameters["ExclusiveStartKey"] = found.last_evaluated_key


def _write(client: Any, write: Write, parameters: dict[str, Any]) -> Answer:
    names, values = dict[str, str](), dict[str, Any]()
    if write.expects is not None:
        parameters["ConditionExpression"] = " AND ".join(_conditions(write, names, values))
        parameters["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    if write.put is not None:
        request, parameters["Item"] = client.put_item, write.put
    elif write.sets is None:
        request, parameters["Key"] = client.delete_item, write.key
    else:
        request, parameters["Key"] = client.update_item, write.key
        parameters["UpdateExpression"] = _update(write.sets, write.removes, names, values)
    if names:
        parameters["ExpressionAttributeNames"] = names
    if values:
        parameters["ExpressionAttributeValues"] = values
    try:
        answer = request(**parameters)
    except client.exceptions.ConditionalCheckFailedException as error:
        found = error.response.get("Item")
        return Answer(Conflict(found or None), write_units=float(write_units(found or {})))
    except ClientError as error:
        if fault(error) is not Fault.INVALID:
            raise
        return Answer(Refused(code_of(error)))
    return Answer(WRITTEN, write_units=consumed_units(answer))


def _update(
    sets: Mapping[str, AttributeValue], removes: Sequence[str], names: dict[str, str], values: dict[str, Any]
) -> str:
    """Return the expression of an update; add its names and values."""
    names |= {f"#s{number}": name for number, name in enumerate(sets)}
    names |= {f"#r{number}": name for number, name in enumerate(removes)}
    values |= {f":s{number}": value for number, value in enumerate(sets.values())}
    clauses = {
        "SET": ", ".join(f"#s{number} = :s{number}" for number in range(len(sets))),
        "REMOVE": ", ".join(f"#r{number}" for number in range(len(removes))),
    }
    return " ".join(f"{clause} {actions}" for clause, actions in clauses.items() if actions)


def _conditions(write: Write, names: dict[str, str], values: dict[str, Any]) -> Iterator[str]:
    """Yield the conditions of a write; add their names and values."""
    if isinstance(write.expects, Unless):
        names["#k"], values[":k"] = write.expects
        yield "attribute_not_exists(#k) OR #k <> :k"
        return
    if write.put is None:
        names["#k"] = next(iter(write.key))
        yield "attribute_exists(#k)"
    for number, (name, value) in enumerate((write.expects or {}).items()):
        names[f"#e{number}"] = name
        if value is None:
            yield f"attribute_not_exists(#e{number})"
        else:
            values[f":e{number}"] = value
            yield f"#e{number} = :e{number}"
