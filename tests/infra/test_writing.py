"""The section `writing` of an environment in cdk.json."""

from typing import Any

import pytest

from infra.cdk_json import read_environments
from infra.section import CdkJsonError

pytestmark = pytest.mark.engine

STREAM = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders/stream/2026-01-31T03:00:00.000"
MARKER = {"sk": "#static", "GSI-pk": "{pk}"}
KEEPER = {"stream": STREAM, "marker": MARKER}
TARGETS = [
    "arn:aws:lambda:us-east-1:123456789012:function:Take",
    "arn:aws:sqs:us-east-1:123456789012:Keys",
]


def environment(writing: Any) -> dict[str, Any]:
    return {"prod": {"account": "123456789012", "region": "us-east-1", "tables": ["Orders"], "writing": writing}}


def test_nothing_is_written_by_default() -> None:
    (read,) = read_environments(environment({}))
    assert read.writing == ()
    (read,) = read_environments(environment({"Orders": {}}))
    (writing,) = read.writing
    assert (writing.table, writing.act, writing.targets, writing.keeper) == ("Orders", False, (), None)


def test_jobs_targets_and_a_keeper_are_read() -> None:
    (read,) = read_environments(environment({"Orders": {"act": True, "targets": TARGETS, "keeper": KEEPER}}))
    (writing,) = read.writing
    assert (writing.act, list(writing.targets)) == (True, TARGETS)
    assert writing.keeper is not None
    assert (writing.keeper.stream, writing.keeper.document) == (STREAM, MARKER)


@pytest.mark.parametrize(
    ("writing", "said"),
    [
        (["Orders"], 'writing is ["Orders"]; it must be an object'),
        ({"Customers": {}}, "writing.Customers is {}; the table is not in tables: add Customers there or remove it"),
        (
            {"Orders": {"put": True}},
            "writing.Orders.put is true; the fields here are act, targets, retrofit, keeper, attribute_keeper",
        ),
        ({"Orders": {"act": "yes"}}, 'writing.Orders.act is "yes"; it must be true or false'),
        ({"Orders": {"targets": []}}, "writing.Orders.targets is []; it must be a list of functions and queues"),
        ({"Orders": {"targets": ["Take"]}}, 'writing.Orders.targets.0 is "Take"; it must be the ARN of a Lambda'),
        ({"Orders": {"keeper": True}}, "writing.Orders.keeper is true; it must be an object"),
        ({"Orders": {"keeper": {"marker": MARKER}}}, "writing.Orders.keeper.stream is missing; it must be the ARN of"),
        (
            {"Orders": {"keeper": {**KEEPER, "stream": STREAM.replace("Orders", "Others")}}},
            f'writing.Orders.keeper.stream is "{STREAM.replace("Orders", "Others")}"; it is the stream of a table '
            "other",
        ),
        (
            {"Orders": {"keeper": {**KEEPER, "stream": STREAM.replace("us-east-1", "eu-west-1")}}},
            f'writing.Orders.keeper.stream is "{STREAM.replace("us-east-1", "eu-west-1")}"; the keeper follows streams',
        ),
        ({"Orders": {"keeper": {"stream": STREAM}}}, "writing.Orders.keeper.marker is {}; it must be an object of"),
        (
            {"Orders": {"keeper": {**KEEPER, "marker": {"sk": "{"}}}},
            'the template "{" has a "{" at position 0 that belongs to no {attribute}',
        ),
    ],
)
def test_a_mistake_is_refused_with_field_value_rule_and_way_out(writing: Any, said: str) -> None:
    with pytest.raises(CdkJsonError) as caught:
        read_environments(environment(writing))
    assert str(caught.value).removeprefix('environment "prod": ').startswith(said)


ATTRIBUTE_KEEPER = {"stream": STREAM, "set": {"made": "{a}-{b}"}}
COPY = {"stream": STREAM, "to": "Orders-2"}


def test_two_readers_of_a_stream_are_passed_to_the_plans() -> None:
    (read,) = read_environments(environment({"Orders": {"keeper": KEEPER, "attribute_keeper": ATTRIBUTE_KEEPER}}))
    assert read.followers == {"Orders": ["keeper", "attribute_keeper"]}


@pytest.mark.parametrize("field", ["attribute_keeper", "copy"])
@pytest.mark.parametrize("separator", ["keep", "escape", None])
def test_a_follower_gets_the_separator_of_cdk_json(field: str, separator: str | None) -> None:
    follower: dict[str, Any] = ATTRIBUTE_KEEPER if field == "attribute_keeper" else COPY
    asked = {**follower, "set": {"made": "{a}-{b}"}}
    (read,) = read_environments(
        environment({"Orders": {field: asked | ({"separator": separator} if separator else {})}})
    )
    (writing,) = read.writing
    document = getattr(writing, field).document
    assert (document.get("separator"), document["set"]) == (separator, {"made": "{a}-{b}"})


def test_a_third_reader_of_a_stream_is_refused_with_the_reason() -> None:
    writing = {"Orders": {"keeper": KEEPER, "attribute_keeper": ATTRIBUTE_KEEPER, "copy": COPY}}
    with pytest.raises(CdkJsonError, match=r"would have 3 readers .*DynamoDB allows 2 a shard and throttles more"):
        read_environments(environment(writing))


def test_readers_of_one_stream_count_over_all_environments() -> None:
    (prod,) = environment({"Orders": {"keeper": KEEPER, "copy": COPY}}).values()
    (beta,) = environment({"Orders": {"attribute_keeper": ATTRIBUTE_KEEPER}}).values()
    with pytest.raises(CdkJsonError, match=r"environments\.beta\.writing\.Orders\.attribute_keeper"):
        read_environments({"prod": prod, "beta": beta})


def test_another_stream_of_the_table_has_readers_of_its_own() -> None:
    newer = {**ATTRIBUTE_KEEPER, "stream": STREAM.replace("2026-01-31", "2026-02-28")}
    read_environments(environment({"Orders": {"keeper": KEEPER, "copy": COPY, "attribute_keeper": newer}}))
