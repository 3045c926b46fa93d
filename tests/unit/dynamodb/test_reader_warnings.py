from dataclasses import replace

from skipscan.dynamodb.delivery import reader_warnings
from skipscan.dynamodb.table_description import TableDescription

TABLE = TableDescription.from_json({"TableName": "Orders", "AttributeDefinitions": [], "KeySchema": []})
GLOBAL = replace(TABLE, is_global=True)


def test_two_readers_leave_no_room_for_a_trigger_of_the_user_s_own() -> None:
    (warning,) = reader_warnings(TABLE, {"Orders": ["keeper", "copy"], "Others": []})
    assert '"Orders" is read by 2 functions of this environment (keeper, copy)' in warning
    assert "a trigger of your own would be the third" in warning


def test_one_reader_leaves_room_unless_the_table_is_global() -> None:
    assert reader_warnings(TABLE, {"Orders": ["keeper"]}) == []
    (warning,) = reader_warnings(GLOBAL, {"Orders": ["keeper"]})
    assert "global table" in warning


def test_a_table_that_nothing_follows_has_no_warning() -> None:
    assert reader_warnings(GLOBAL, {"Others": ["keeper", "copy"]}) == []
