"""Where each engine is known to differ from the service.

A key is matched against a test's name and parameters, "scenario parameters". One case of each key is tried, and must
fail (strict xfail), so that an upgrade which cures an engine is noticed here. Versions: dynalite 4.0.0, DynamoDB Local
1.11.478, MiniStack 1.5.33.
"""

import re

NO_THROTTLING = "refuses nothing for want of throughput"

DEVIATIONS: dict[str, dict[str, str]] = {
    "fake": {
        "a_table_above_its_throughput_says_why .*": "never throttles: tests/fakes/faults.py does",
        "two_tables_have_two_ids": "has the TableId that a test gives it",
    },
    "aws": {
        "describe_table_counts_items_and_bytes": "refreshes the figures every six hours",
    },
    "dynalite": {
        "a_consistent_read_costs_twice": "drops ConsistentRead and charges half",
        "a_wrong_request_is_refused global-index-consistent": "drops ConsistentRead",
        "a_wrong_request_is_refused (count-of-projection|specific-attributes-of-nothing)": "does not check Select",
        "a_page_that_finds_nothing_costs_half_a_unit": "charges nothing for an empty page",
        "sizes_count_utf8_bytes": "counts UTF-16 units, not bytes",
        "describe_table_counts_items_and_bytes": "always says 0 items and 0 bytes",
        "an_impossible_segment_is_refused first-without-total": "takes segment 0 for none",
        "an_impossible_segment_is_refused total-above-a-million": "has no upper bound",
        "far_more_segments_than_partition_keys": "above 4,096 segments the last ones return the whole table",
        "a_skip_passes_an_item_at_the_greatest_sort_key .-local": "breaks ties of a local index by a hash",
        "an_index_with_several_key_attributes_is_skipped": "refuses more than one attribute per key",
        "a_query_(goes_on_from_a_scan|follows_its_own_pages) several.*": "refuses more than one attribute per key",
        "a_table_above_its_throughput_says_why .*": NO_THROTTLING,
        "a_failed_condition_answers_with_the_item": "answers without the item",
        "a_condition_compares_values_of_every_type (list|map)": "finds no lists and no maps equal",
        "a_query_at_the_end_of_its_range_is_refused .*": "continues, and finds nothing",
        "an_item_has_the_size_of_its_names_and_values (text|list)": "counts UTF-16 units, not bytes",
        "a_write_costs_the_observed_units": "charges no index",
        "nothing_sorts_behind_the_greatest_keys S": "counts UTF-16 units, not bytes",
        "every_group_comes_once_with_what_is_taken_of_it S-global-counts of groups in a range": (
            "compares the bounds of BETWEEN by UTF-16 units, not bytes"
        ),
    },
    "dynamodb-local": {
        "a_page_that_finds_nothing_costs_half_a_unit": "charges nothing for an empty page",
        "an_index_is_read_at_the_size_of_what_it_projects .*": "charges the size of the whole item",
        "every_item_is_in_one_segment_and_no_collection_in_two .-(global|without-sort-key)": (
            "cuts the segments of an index by the table's keys"
        ),
        "a_wrong_request_is_refused start-key-too-long": "does not check lengths in a start key",
        "an_index_with_several_key_attributes_is_skipped": "refuses more than one attribute per key",
        "a_query_(goes_on_from_a_scan|follows_its_own_pages) several.*": "refuses more than one attribute per key",
        "a_table_above_its_throughput_says_why .*": NO_THROTTLING,
        "a_failed_condition_answers_with_the_item": "answers without the item",
        "capacity_by_index_names_where_it_was_consumed (local|global)": "charges the size of the whole item",
        "segments_are_consecutive_ranges_of_the_scan global": "cuts the segments of an index by the table's keys",
        "two_tables_have_two_ids": "says no TableId",
    },
    "ministack": {
        "collections_do_not_ascend": "walks in the order of partition keys, not of hashes",
        "collections_are_in_one_piece_and_ascend [NB]-table": "sorts keys as text",
        "collections_are_in_one_piece_and_ascend .-(?!table).*": "walks an index in the order of the table",
        "a_start_key_from_another_segment_is_refused .*": "does not check the segment of a start key",
        "a_start_key_need_not_exist [NB]": "compares start keys as text",
        "a_skip_finds_every_partition_key_once .-[NB]-table": "compares start keys as text",
        "a_skip_finds_every_partition_key_once .-.-(?!table).*": "a skip on an index loses keys",
        "a_skip_passes_an_item_at_the_greatest_sort_key [NB]-table": "compares start keys as text",
        "a_range_begins_at_its_very_number (local|global)-(?!5|7).*": "walks an index in the table's order",
        "a_range_begins_at_its_very_number table-(-2.5|-1E-130)": "compares start keys as text",
        "every_group_comes_once_with_what_is_taken_of_it .-global-(?!items of groups).*": (
            "walks an index in the table's order"
        ),
        "every_group_comes_once_with_what_is_taken_of_it "
        ".-local-(?!items of groups|groups without room|groups behind an emoji|ends of groups in).*": (
            "walks an index in the table's order"
        ),
        "every_group_comes_once_with_what_is_taken_of_it "
        "B-table-(keys|ends of groups|(all but the )?last two of groups|groups (behind|until|without)).*": (
            "compares start keys as text"
        ),
        "a_skip_costs_one_request_per_partition_key": "compares start keys as text",
        "an_index_without_sort_key_cannot_be_skipped": "a skip on an index loses keys",
        "an_index_with_several_key_attributes_is_skipped": "a skip on an index loses keys",
        "a_wrong_request_is_refused start-key-(empty|with-more|of-other-type.*|with-empty-value|too-long)": (
            "does not check the values of a start key"
        ),
        "read_units_are_the_sum_of_sizes_rounded_up_once (1025|4097|9000)-.*": "charges every page the same",
        "a_consistent_read_costs_twice": "charges every page the same",
        "sizes_count_utf8_bytes": "charges every page the same",
        "a_projection_or_a_count_costs_as_much_as_the_whole_items": "charges every page the same",
        "an_index_is_read_at_the_size_of_what_it_projects .*": "charges every page the same",
        "a_page_ends_with_the_item_that_brings_it_to_one_megabyte": "measures items by a way of its own",
        "describe_table_counts_items_and_bytes": "says 200 bytes an item",
        "a_query_goes_on_from_a_scan (?!table).*": "walks an index in the table's order",
        "a_query_at_the_end_of_its_range_is_refused .*": "continues, and finds nothing",
        "segments_are_consecutive_ranges_of_the_scan .*": "walks in the order of keys, and cuts segments by hashes",
        "nothing_sorts_behind_the_greatest_keys N": "takes numbers of any size",
        "a_table_above_its_throughput_says_why .*": NO_THROTTLING,
        "capacity_by_index_names_where_it_was_consumed table": "charges every page the same",
    },
}


def deviation(engine: str, test_name: str) -> str | None:
    """What the engine is known to get wrong in the test, or None."""
    key = deviating(engine, test_name)
    return DEVIATIONS[engine][key] if key else None


def deviating(engine: str, test_name: str) -> str | None:
    """Return the key of the deviation that covers a test."""
    scenario, _, parameters = test_name.removeprefix("test_").removesuffix("]").partition(f"[{engine}")
    case = f"{scenario} {parameters.removeprefix('-')}".strip()
    return next((key for key in DEVIATIONS[engine] if re.fullmatch(key, case)), None)
