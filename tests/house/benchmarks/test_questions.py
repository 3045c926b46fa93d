"""docs/questions.md states the kept figures; they are what runs take today, and within their goals."""

import pytest

from benchmarks.blog_table import COLLECTIONS
from benchmarks.first_items.way import EXPORT, Way
from benchmarks.questions import standing
from benchmarks.questions.answer import COUNTS, FEW, FULL_SCAN, INDEX, LAST_DAY, LEVELS, STORED, Answer, others
from benchmarks.questions.blog import LAST_DAY_INPUT, LEVELS_INPUT, asked
from benchmarks.questions.demo import right
from benchmarks.questions.document import DOCUMENT, put_in
from benchmarks.questions.results import Results
from benchmarks.questions.table import DAYS, LENGTH, TYPES
from skipscan.dynamodb.prices import MONTHLY_US_EAST_1, US_EAST_1

pytestmark = pytest.mark.engine

KEPT = Results.load()
OTHERS = [FULL_SCAN, EXPORT, INDEX, STORED]
TYPES_OF_A_KEY = 4


def kept(question: str, answers: list[Answer]) -> Answer:
    [found] = [answer for answer in answers if answer.question == question and answer.found]
    return found


def test_the_page_states_the_kept_figures() -> None:
    text = DOCUMENT.read_text()
    assert put_in(text, KEPT) == text, "renew it: python -m benchmarks.questions.document"


def test_the_page_has_every_question_and_every_way() -> None:
    for answers, questions in ((KEPT.blog, [LAST_DAY, LEVELS, FEW, COUNTS]), (KEPT.demo, [LAST_DAY, LEVELS, COUNTS])):
        assert [answer.question for answer in answers if answer.found] == questions
        assert [answer.way.name for answer in answers if not answer.found] == OTHERS


def test_items_of_the_last_day_cost_one_page_a_key() -> None:
    """One item of a thousand: the page that begins with the range shows the next key, too."""
    found = asked(LAST_DAY, LAST_DAY_INPUT, 1 / 8192, DAYS)
    assert found.found == pytest.approx(COLLECTIONS, rel=0.01)
    assert found.way.read_units / found.found <= 0.55
    assert found.way.read_units == pytest.approx(kept(LAST_DAY, list(KEPT.blog)).way.read_units, rel=0.05)
    assert found.way.requests == pytest.approx(kept(LAST_DAY, list(KEPT.blog)).way.requests, rel=0.05)


@pytest.mark.long
def test_a_group_of_four_types_costs_half_a_unit() -> None:
    found = asked(LEVELS, LEVELS_INPUT, 1 / 8192, TYPES)
    assert found.found == pytest.approx(TYPES_OF_A_KEY * COLLECTIONS, rel=0.01)
    assert found.way.read_units / found.found <= 0.53
    assert found.way.read_units == pytest.approx(kept(LEVELS, list(KEPT.blog)).way.read_units, rel=0.05)


def test_a_count_reads_no_more_than_it_was_asked_to() -> None:
    """101 items of 500 bytes are 13 steps of 4 KB."""
    found = asked(FEW, {"take": {"count": {"up_to": 100}}}, 1 / 8192, DAYS)
    assert found.found == pytest.approx(COLLECTIONS, rel=0.01)
    assert 6.0 < found.way.read_units / found.found <= 6.55


def test_the_demos_lines_are_those_of_all_its_items() -> None:
    assert right() == {question: kept(question, list(KEPT.demo)).found for question in (LAST_DAY, LEVELS, COUNTS)}


def test_the_made_up_collections_are_as_long_as_the_blogs_and_in_order() -> None:
    for sort_keys in (DAYS, TYPES):
        assert len(set(sort_keys)) == LENGTH
        assert sort_keys == sorted(sort_keys)
    assert len({key.split("#")[0] for key in TYPES}) == TYPES_OF_A_KEY


def test_an_index_pays_for_each_kilobyte_of_an_item_and_for_its_storage() -> None:
    _, exported, written, stored = others(Way(FULL_SCAN, 1.0, 1, None), [(1500, 2_000_000), (500, 1_000_000)])
    assert written.way.dollars == pytest.approx(US_EAST_1.write_units.of(5_000_000))
    assert stored.way.dollars == pytest.approx(MONTHLY_US_EAST_1.stored_gb.of(3.5 + 0.3))
    assert exported.way.dollars == pytest.approx(Way.exported(3.5e9).dollars)


def test_the_standing_compares_a_question_only_with_what_answers_it() -> None:
    def figure(question: str, way: str, found: int, dollars: float, read_units: float) -> dict[str, object]:
        return {"question": question, "way": way, "found": found, "dollars": dollars, "read_units": read_units}

    answers = [
        figure(LAST_DAY, "Skipscan", 7, 1.0, 2.0),
        figure(LEVELS, "Skipscan", 7, 4.0, 8.0),
        figure("each of them", FULL_SCAN, 0, 8.0, 80.0),
        figure(LAST_DAY, INDEX, 0, 100.0, 0.0),
    ]
    rows = [(row.peer, row.times) for row in standing({"questions": {"blog": answers}})]
    assert rows == [(FULL_SCAN, 40.0), (FULL_SCAN, 8.0), (INDEX, 100.0), (FULL_SCAN, 10.0), (FULL_SCAN, 2.0)]
