"""A Scan request that has passed every check of the service, in the order of a page's walk."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes import number
from tests.fakes.attribute_value import Item
from tests.fakes.error import not_found, validation_error
from tests.fakes.position import segment_start
from tests.fakes.projection import projected_names
from tests.fakes.table import FakeTable, check_lengths
from tests.fakes.view import View

_NOT_MODELLED = {
    "AttributesToGet",
    "ConditionalOperator",
    "ExpressionAttributeValues",
    "FilterExpression",
    "ScanFilter",
}


@dataclass(frozen=True)
class ScanRequest:
    view: View
    segment: int
    total_segments: int
    start_key: Item | None
    limit: int | None
    projected: tuple[str, ...] | None
    counts_only: bool
    is_consistent: bool
    capacity_detail: str

    @classmethod
    def checked(cls, table: FakeTable, parameters: Mapping[str, Any]) -> "ScanRequest":
        """Raise the service's ClientError for a bad request, NotImplementedError for what the fake leaves out."""
        if left_out := _NOT_MODELLED & parameters.keys():
            raise NotImplementedError(f"The fake has no {', '.join(sorted(left_out))}")
        segment, total_segments = _segment(parameters)
        view = _view(table, parameters)
        projected = projected_names(parameters.get("ProjectionExpression"), parameters.get("ExpressionAttributeNames"))
        _check_select(parameters.get("Select"), view, projected)
        request = cls(
            view=view,
            segment=segment,
            total_segments=total_segments,
            start_key=parameters.get("ExclusiveStartKey"),
            limit=parameters.get("Limit"),
            projected=projected,
            counts_only=parameters.get("Select") == "COUNT",
            is_consistent=parameters.get("ConsistentRead", False),
            capacity_detail=parameters.get("ReturnConsumedCapacity", "NONE"),
        )
        request._check_start_key()
        return request

    def bounds(self) -> tuple[int, int]:
        """The entries of the view, from and to, that are still to be walked in the segment."""
        end = self.view.first_at(segment_start(self.segment + 1, self.total_segments))
        if self.start_key is None:
            return self.view.first_at(segment_start(self.segment, self.total_segments)), end
        return self.view.first_after(self.start_key), end

    def _check_start_key(self) -> None:
        if self.start_key is None:
            return
        if self.start_key.keys() != set(self.view.key_names):
            raise _invalid_start_key("The provided key element does not match the schema")
        for attribute in self.view.key_attributes:
            value = self.start_key[attribute.name]
            if set(value) != {attribute.type}:
                raise _invalid_start_key("The provided key element does not match the schema")
            if attribute.type == "N":
                try:
                    number.parse(value["N"])
                except ValueError as error:
                    raise validation_error(str(error)) from error
        for schema in (self.view.order.key, self.view.definition.key):
            check_lengths(self.start_key, schema.partition, 2048, "hashkey")
            check_lengths(self.start_key, schema.sort, 1024, "rangekey")
        hash_position = self.view.order.collection(self.start_key)[:1]
        first = segment_start(self.segment, self.total_segments)
        end = segment_start(self.segment + 1, self.total_segments)
        if not first <= hash_position < end:
            raise _invalid_start_key(
                "Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "
                f"TotalSegments: {self.total_segments} Segment: {self.segment}"
            )


def _segment(parameters: Mapping[str, Any]) -> tuple[int, int]:
    segment, total_segments = parameters.get("Segment"), parameters.get("TotalSegments")
    if segment is None and total_segments is None:
        return 0, 1
    if segment is None or total_segments is None:
        given, missing = ("Segment", "TotalSegments") if total_segments is None else ("TotalSegments", "Segment")
        raise validation_error(
            f"The {missing} parameter is required but was not present in the request when {given} parameter is present"
        )
    if total_segments > 1_000_000:
        raise validation_error(f"TotalSegments is {total_segments}; it must be less than or equal to 1000000")
    if segment >= total_segments:
        raise validation_error(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            f"Segment: {segment} is not less than TotalSegments: {total_segments}"
        )
    return segment, total_segments


def _view(table: FakeTable, parameters: Mapping[str, Any]) -> View:
    if table.definition.status in ("CREATING", "DELETING"):
        raise not_found("Requested resource not found")
    name = parameters.get("IndexName")
    view = table.views.get(name)
    if view is None:
        raise validation_error(f"The table does not have the specified index: {name}")
    if view.index and view.index.kind == "global":
        if parameters.get("ConsistentRead"):
            raise validation_error("Consistent reads are not supported on global secondary indexes")
        if view.index.status != "ACTIVE":
            raise validation_error(f"Cannot read from backfilling global secondary index: {name}")
    return view


def _check_select(select: str | None, view: View, projected: tuple[str, ...] | None) -> None:
    if select == "SPECIFIC_ATTRIBUTES" and projected is None:
        raise validation_error("SPECIFIC_ATTRIBUTES needs a ProjectionExpression")
    if select not in (None, "SPECIFIC_ATTRIBUTES") and projected is not None:
        raise validation_error(f"Cannot specify the ProjectionExpression when choosing to get {select}")
    if select == "ALL_PROJECTED_ATTRIBUTES" and view.index is None:
        raise validation_error("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
    if view.index is None or view.index.projection == "ALL":
        return
    held = {*view.key_names, *view.index.non_key_attributes}
    missing = [name for name in projected or () if name not in held]
    if select != "ALL_ATTRIBUTES" and not missing:
        return
    if view.index.kind == "local":
        raise NotImplementedError("The fake does not fetch from the table what a local index lacks")
    raise validation_error(f"Global secondary index {view.index.name} does not project {missing or 'all attributes'}")


def _invalid_start_key(reason: str) -> Exception:
    return validation_error(f"The provided starting key is invalid: {reason}")
