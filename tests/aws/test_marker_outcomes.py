"""Item collections that a keeper of markers cannot settle: one that kept changing, one whose marker has no room."""

from typing import Any

from skipscan.aws.follower import Followed, follow
from skipscan.aws.markers import Markers
from skipscan.dynamodb.source import Item
from skipscan.markers.keeper import MarkerOutcome
from skipscan.stream.delivery import Delivery, Record
from tests.fakes.dynamodb import FakeDynamoDB
from tests.markers import sample

UNITS = {"ConsumedCapacity": {"CapacityUnits": 1.0}}


class Looking:
    """A table in which every look finds the same items, whatever was written before."""

    exceptions = FakeDynamoDB().exceptions

    def __init__(self, *items: Item) -> None:
        self._items = items

    def query(self, **_: Any) -> dict[str, Any]:
        return {"Items": list(self._items), **UNITS}

    def put_item(self, **_: Any) -> dict[str, Any]:
        return UNITS

    def get_item(self, **_: Any) -> dict[str, Any]:
        """Return the marker, which an application has changed since the look, with its mark."""
        return {"Item": {**sample.marker().item({"S": "p"}), "GSI-pk": {"S": "theirs"}}, **UNITS}


def kept(*items: Item) -> Followed:
    client: Any = Looking(*items)
    delivery = Delivery((Record("record-1", {"pk": {"S": "p"}, "sk": {"S": "b"}}, "REMOVE"),), ())
    markers = Markers(client, sample.marker(), check=lambda: None)
    return follow(delivery, markers, until=1.0, clock=lambda: 0.0)


def test_a_collection_that_kept_changing_comes_again() -> None:
    followed = kept(sample.item("p", "a"))
    assert (followed.failed, followed.outcomes) == (["record-1"], {MarkerOutcome.UNSETTLED.value: 1})


def test_a_collection_whose_marker_has_no_room_is_counted() -> None:
    followed = kept(sample.item("p", "#static", note="theirs"), sample.item("p", "a"))
    assert (followed.failed, followed.outcomes) == ([], {MarkerOutcome.OCCUPIED.value: 1})


def test_a_marker_that_an_application_has_changed_since_the_look_is_not_deleted() -> None:
    followed = kept(sample.marker().item({"S": "p"}))
    assert (followed.failed, followed.outcomes) == ([], {MarkerOutcome.OCCUPIED.value: 1})
