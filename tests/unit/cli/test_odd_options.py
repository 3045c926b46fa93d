"""Whatever an option of any command is given, the answer is a message and a status."""

import click
import pytest

from skipscan.cli import follow
from skipscan.cli.commands import COMMANDS, performed
from skipscan.cli.say import INTERRUPTED
from tests.unit.cli.place import Place

pytestmark = pytest.mark.slow

ODD = ["", "nan", "1e400", "a\nb\udc80", "@/", "9" * 5000]
TWO = ["Orders", "Others"]
ARGUMENTS = {"copy start": TWO, "copy compare": TWO, "completion": ["bash"], "report": ["Orders"]}
FROM_HERE = {"plan", "keys", "completion"}


def interrupt(_seconds: float) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", [name for name in performed(*COMMANDS) if name not in FROM_HERE])
def test_an_odd_value_is_answered(name: str, place: Place, tmp_path_factory: pytest.TempPathFactory) -> None:
    place.monkeypatch.chdir(tmp_path_factory.mktemp("odd"))
    place.monkeypatch.setattr(follow, "sleep", interrupt)
    for option in performed(*COMMANDS)[name].params:
        if not isinstance(option, click.Option) or option.is_flag or option.name == "env":
            continue
        for value in ODD:
            done = place.skipscan(*name.split(), *ARGUMENTS.get(name, ["Orders"]), option.opts[0], value)
            assert done.status in (0, 1, 2, INTERRUPTED), (option.opts[0], value, done.stderr)
            assert "Traceback" not in done.stderr
            assert done.status in (0, INTERRUPTED) or done.stderr.startswith("skipscan: "), done.stderr
            assert len(done.stderr) < 1_500, done.stderr
