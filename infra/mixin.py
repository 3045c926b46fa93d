"""The marker index of a table of another CDK app, and its stream, as a mixin.

https://docs.aws.amazon.com/cdk/v2/guide/mixins.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aws_cdk import Mixin, Stack
from aws_cdk import aws_dynamodb as dynamodb
from constructs import IConstruct

from skipscan.dynamodb.table_description import KeyAttribute, TableDescription
from skipscan.items.template import ItemTemplate
from skipscan.markers.marker import Marker

from .section import CdkJsonError, mistakes
from .writing import Followed, Writing

CfnTable = dynamodb.CfnTable | dynamodb.CfnGlobalTable
TYPES = {"S": dynamodb.AttributeType.STRING, "N": dynamodb.AttributeType.NUMBER, "B": dynamodb.AttributeType.BINARY}


class SkipscanTable(Mixin):
    """Gives a table an index of markers, and a stream unless it has one.

    `marker`: the attributes of a marker, as `keeper.marker` in cdk.json. The attribute whose value is the table's
    partition key, like "{customer}", becomes the partition key of the index. `index`: its name. `act`: jobs may act on
    the table, to put the markers of item collections that are older than the keeper.

    A `Skipscan` construct keeps the markers of the tables to which each of its `markers` was applied before. A mistake
    is a `CdkJsonError`. In `with_` jsii makes it a `RuntimeError` with the same text.
    """

    def __init__(self, *, marker: Mapping[str, object], index: str = "markers", act: bool = False) -> None:
        super().__init__()
        with mistakes("SkipscanTable"):
            ItemTemplate.parse(marker, "marker")
        self._marker, self._index, self._act = marker, index, act
        self._tables: list[CfnTable] = []
        self._keeper = ""

    def supports(self, construct: IConstruct) -> bool:
        """Return whether it is the resource of a table. `Table` and `TableV2` have one, an imported table has none."""
        return isinstance(construct, CfnTable)

    def apply_to(self, construct: IConstruct) -> None:
        """Add the index, and the stream if there is none; raise `CdkJsonError`."""
        place = called(construct).node.path
        if not isinstance(construct, CfnTable):
            raise CdkJsonError(f"{place} is not a table that this app creates: apply SkipscanTable to such tables")
        if self._keeper:
            raise CdkJsonError(
                f"{place} gets markers after {self._keeper}, which keeps those of its tables, was defined: apply the "
                "mixin before that construct"
            )
        rendered = _rendered(construct)
        try:
            key = self._key(place, TableDescription.from_json(rendered))
        except KeyError as missing:
            raise CdkJsonError(f"{place} lacks {missing}, which a table's keys need: add it") from None
        except (AttributeError, TypeError):  # an intrinsic function, such as Fn::If, where there is a text or a list
            raise CdkJsonError(
                f"{place}: the names of its keys and indexes must be known before the deployment: write them as texts "
                "in lists"
            ) from None
        _add_index(construct, rendered, self._index, key)
        if "StreamSpecification" not in rendered:  # one of any view type holds the keys, and a keeper reads no more
            _set(construct, stream_specification={"streamViewType": "KEYS_ONLY"})
        self._tables.append(construct)

    def keepers(self, stack: Stack, keeper: str, tables: Mapping[str, str]) -> Iterator[Writing]:
        """Return what jobs of a construct in that stack, `keeper`, may write to each table; raise `CdkJsonError`.

        `tables`: the names of all tables that the construct may read, by the paths of their resources.
        """
        if not self._tables:
            raise CdkJsonError(f"{keeper}: one of its markers was applied to no table: apply it before, table.with_(…)")
        if self._keeper:
            raise CdkJsonError(
                f"{keeper}: {self._keeper} keeps these markers, and two keepers of a table would not delete each "
                "other's: remove them from one of the two"
            )
        self._keeper = keeper
        for table in self._tables:
            place, its_stack = called(table).node.path, Stack.of(table)
            if table.node.path not in tables:
                raise CdkJsonError(f"{keeper}: {place} has markers and is not in tables: add it there")
            if (its_stack.account, its_stack.region) != (stack.account, stack.region):
                raise CdkJsonError(
                    f"{keeper}: {place} is in another account or region; keepers follow streams of their own: use a "
                    "Skipscan construct there"
                )
            name, id = _rendered(table).get("TableName"), place.removeprefix(f"{its_stack.node.path}/")
            yield Writing(
                table=tables[table.node.path],
                act=self._act,
                keeper=Followed(table.attr_stream_arn, self._marker),
                label=name if isinstance(name, str) else id.replace("/", "-"),
            )

    def _key(self, place: str, described: TableDescription) -> KeyAttribute:
        """Return the partition key of the index; raise `CdkJsonError` unless the marker fits the table."""
        with mistakes(place):
            marker = Marker.described(self._marker, place, described, "")
        bare = "{" + marker.partition_key.name + "}"
        names = [name for name, value in self._marker.items() if value == bare and name != marker.sort_key.name]
        if len(names) != 1:
            raise CdkJsonError(
                f'{place}: {len(names)} attributes of the marker are "{bare}"; the one that is becomes the partition '
                "key of the index: write exactly one"
            )
        if any(index.name == self._index for index in described.indexes):
            raise CdkJsonError(
                f'{place}: the table has an index "{self._index}" already: remove that, or give this one another name, '
                "SkipscanTable(index=…)"
            )
        return KeyAttribute(names[0], marker.partition_key.type)


def called(resource: IConstruct) -> IConstruct:
    """Return the construct that a table's author knows: the `Table` or `TableV2` of a resource, or the resource."""
    scope = resource.node.scope
    return scope if isinstance(scope, dynamodb.Table | dynamodb.TableV2) else resource


def _rendered(table: CfnTable) -> dict[str, Any]:
    """Return the properties as the template has them. jsii cannot read each of a `TableV2`: some are lazy."""
    return dict(table._render_properties(Stack.of(table).resolve(table._cfn_properties)))


def _set(table: CfnTable, **properties: object) -> None:
    """Set properties, in the form that both kinds of resource share: jsii takes objects for their own types."""
    for name, value in properties.items():
        setattr(table, name, value)


def _add_index(table: CfnTable, rendered: Mapping[str, Any], name: str, key: KeyAttribute) -> None:
    owner = called(table)
    if isinstance(owner, dynamodb.Table | dynamodb.TableV2):
        # It renders all its indexes at the end: a list that is set now would replace those that come later.
        owner.add_global_secondary_index(
            index_name=name,
            partition_key=dynamodb.Attribute(name=key.name, type=TYPES[key.type]),
            projection_type=dynamodb.ProjectionType.KEYS_ONLY,
        )
        return
    indexes, attributes = table.global_secondary_indexes or [], table.attribute_definitions or []
    if not isinstance(indexes, list) or not isinstance(attributes, list):
        raise CdkJsonError(f"{owner.node.path}: its indexes and attributes must be lists: write them as lists")
    if isinstance(table, dynamodb.CfnGlobalTable) and rendered.get("BillingMode") != "PAY_PER_REQUEST":
        raise CdkJsonError(
            f"{owner.node.path}: an index of a global table with provisioned capacity needs settings in every replica: "
            "use TableV2, which makes them, or PAY_PER_REQUEST"
        )
    index: dict[str, object] = {
        "indexName": name,
        "keySchema": [{"attributeName": key.name, "keyType": "HASH"}],
        "projection": {"projectionType": "KEYS_ONLY"},
    }
    if throughput := rendered.get("ProvisionedThroughput"):
        reads, writes = throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]
        index["provisionedThroughput"] = {"readCapacityUnits": reads, "writeCapacityUnits": writes}
    _set(table, global_secondary_indexes=[*indexes, index])
    if key.name not in {each["AttributeName"] for each in rendered["AttributeDefinitions"]}:
        _set(table, attribute_definitions=[*attributes, {"attributeName": key.name, "attributeType": key.type}])
