"""Messages of late looks: their keys come back, and only to the follower of the same stream."""

import json

import pytest

from skipscan.copy.replica import from_queue, keys_of, late_look_messages
from skipscan.dynamodb.source import Item

STREAM, ANOTHER = (f"arn:aws:dynamodb:us-east-1:000000000000:table/Audit/stream/{year}" for year in (2025, 2026))
NAMES = ("pk", "sk")


def key(number: int, length: int = 1) -> Item:
    return {"pk": {"S": '"' * length}, "sk": {"N": str(number)}}


@pytest.mark.parametrize(("length", "counts"), [(1, [25, 25, 10]), (2_000, [5] * 12)])
def test_all_keys_come_back_in_messages_of_bounded_size(length: int, counts: list[int]) -> None:
    keys = [key(number, length) for number in range(60)]
    messages = list(late_look_messages(keys, STREAM))
    found = [keys_of(body, NAMES, STREAM) for body in messages]
    assert [one for some in found for one in some] == keys
    assert list(map(len, found)) == counts
    assert all(len(body) < 24_200 for body in messages)


def test_a_message_about_a_table_with_another_stream_has_no_key_for_the_follower() -> None:
    (old,) = late_look_messages([key(1)], ANOTHER)
    (new,) = late_look_messages([key(2)], STREAM)
    messages = [{"messageId": "old", "body": old}, {"messageId": "new", "body": new}]
    delivery = from_queue(messages, NAMES, STREAM)
    assert [record.key for record in delivery.records] == [key(2)]
    assert delivery.unreadable == ("old",)


@pytest.mark.parametrize("document", [{}, [], {"keys": []}, {"stream": STREAM}, {"stream": STREAM, "keys": [{}]}])
def test_a_message_that_is_not_ours_is_unreadable(document: object) -> None:
    with pytest.raises(ValueError, match="a message"):
        keys_of(json.dumps(document), NAMES, STREAM)
