from collections.abc import Mapping
from typing import Any

import pytest

from infra.picture import PAGE, draw, put_in

pytestmark = pytest.mark.xdist_group("synth")


def test_the_page_shows_the_state_machine_as_it_is(definition: Mapping[str, Any]) -> None:
    page = PAGE.read_text()
    assert page == put_in(page, draw(definition)), "draw it anew: python -m infra.picture"
    assert draw(definition) in page


def test_a_rule_it_has_no_words_for_is_an_error() -> None:
    rule = {"Variable": "$.keys", "NumericGreaterThan": 5, "Next": "Done"}
    states = {"Many?": {"Type": "Choice", "Choices": [rule]}, "Done": {"Type": "Succeed"}}
    with pytest.raises(ValueError, match="no words for the rule"):
        draw({"StartAt": "Many?", "States": states})


def test_a_drawing_replaces_the_text_between_the_marks() -> None:
    page = "before\n<!-- state-machine:begin -->\nold\n<!-- state-machine:end -->\nafter\n"
    once = put_in(page, "flowchart TD")
    assert once == (
        "before\n<!-- state-machine:begin -->\n```mermaid\nflowchart TD\n```\n<!-- state-machine:end -->\nafter\n"
    )
    assert put_in(once, "flowchart TD") == once
