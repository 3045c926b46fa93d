import json

import pytest

from infra.dashboard_picture import PICTURE, body_in, draw
from tests.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")


def test_the_documents_show_the_dashboard_as_it_is(plain: Template) -> None:
    body = json.loads(json.dumps(body_in(plain.document)).replace("skipscan-plain", "skipscan-dev"))
    assert PICTURE.read_text() == draw(body), "draw it anew: python -m infra.dashboard_picture"


def test_draws_every_graph_with_its_lines_and_every_alarm() -> None:
    graph = {"title": "Runs & keys", "metrics": [["Skipscan", "Keys", {"label": "each"}], ["AWS/States", "Failed"]]}
    alarms = {"title": "Alarms", "alarms": ["arn:aws:cloudwatch:us-east-1:123456789012:alarm:late"]}
    place = {"x": 0, "width": 8, "height": 6}
    drawing = draw({"widgets": [{**place, "y": 0, "properties": graph}, {**place, "y": 6, "properties": alarms}]})
    for shown in ("Runs &amp; keys", "each", "Failed", "Alarms", "late"):
        assert f">{shown}</text>" in drawing
