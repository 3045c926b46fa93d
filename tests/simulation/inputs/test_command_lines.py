"""A thousand command lines: each lists the right keys, or ends with a message and a status, and never a traceback."""

import io
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.aws import clients, lean
from skipscan.cli.main import run_command_line
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.listing import price_requests
from skipscan.sample import requests as sample_requests
from tests.fakes.faulty import Faulty
from tests.house.suite.examples import examples
from tests.simulation.inputs.bent import ANY_TEXT, arns, many, near
from tests.simulation.inputs.test_execution_inputs import expected
from tests.simulation.world.clock import Clock

pytestmark = pytest.mark.slow

OPTIONS: dict[str, list[str]] = {
    "--index": ["by-status", "by-day"],
    "--region": ["us-east-1", "eu-central-1"],
    "--endpoint-url": ["http://localhost:8000", "https://x"],
    "--segments": ["1", "7", "40"],
    "--strategy": ["auto", "skip", "page"],
    "--optimize": ["cost", "balanced", "speed"],
    "--format": ["text", "jsonl", "dynamodb-jsonl"],
    "--consistent-read": [],
    "--workers": ["1", "3"],
    "--seed": ["1", "-5", "99999999999999999999"],
    "--json": [],
}
BAD = ["0", "-1", "1000001", "1.5", "1e3", "0x10", "NaN", "", " ", "null", "\u0661\u0662", "x" * 4000, "9" * 4000]
BAD += ["9" * 5000, "--", "-", "../..", "a\nb", "\x1b[31m", "\udc80", "\u2028", "[]", "{}", "s\u043aip", "localhost"]
BAD += ["http://", "http://a b", "file:///etc/passwd", "http://x:99999999", "us-east-", "$(id)", "-h\u200b"]

VALUES = st.sampled_from(BAD) | ANY_TEXT.map(lambda text: text.replace("\0", "")) | arns()
OPTION = st.sampled_from(list(OPTIONS))
RIGHT = OPTION.flatmap(
    lambda option: (
        st.sampled_from(OPTIONS[option]).map(lambda value: [option, value]) if OPTIONS[option] else st.just([option])
    )
)
BENT = (
    st.tuples(OPTION, VALUES).map(list)
    | OPTION.map(lambda option: [option])
    | OPTION.flatmap(near).map(lambda option: [option.replace("\0", "")])
    | VALUES.map(lambda value: [value])
)
TABLE = st.sampled_from(["Orders", "Orders", "Orders", "Plain"])
COMMAND = st.sampled_from(["keys", "keys", "keys", "plan"])


def joined(command: str, table: str, options: Sequence[list[str]]) -> list[str]:
    return [command, table, *(word for option in options for word in option)]


RIGHT_LINES = st.builds(joined, COMMAND, TABLE, st.lists(RIGHT, max_size=3))
BENT_LINES = st.builds(
    lambda command, table, right, bent: joined(command, table, [*right, bent]),
    COMMAND,
    TABLE,
    st.lists(RIGHT, max_size=1),
    BENT,
)
NO_LINES = st.lists(st.one_of(VALUES, OPTION, st.sampled_from(["keys", "plan", "Orders"])), max_size=4)


class Trial:
    """Runs command lines in this process, with a fake DynamoDB, and counts what becomes of them."""

    def __init__(self, tables: Faulty, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tables, self.monkeypatch = tables, monkeypatch
        self.seen: Counter[str] = Counter()

    def run(self, arguments: Sequence[str]) -> None:
        self.tables.calls.clear()
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict", newline="\n")
        errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")  # as Python sets it up
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["skipscan", *arguments])
            patch.setattr(sys, "stdout", output)
            patch.setattr(sys, "stderr", errors)
            with pytest.raises(SystemExit) as ended:
                run_command_line()
        for stream in (output, errors):
            stream.flush()
        printed = output.buffer.getvalue().decode()
        said = errors.buffer.getvalue().decode()
        status = ended.value.code
        if status == 0:
            self.seen["accepted"] += 1
            if arguments[:1] == ["keys"] and not {"-h", "--help"} & {*arguments}:
                self._check_keys(arguments, printed)
            return
        self.seen["refused"] += 1
        assert not self.tables.asked("scan")
        assert printed == ""
        if status == 1:  # the table said no
            self.seen["no such table or index"] += 1
            assert said.startswith(("skipscan: table is ", "skipscan: --index is "))
        else:
            assert status == 2, (arguments, said)
        assert "Traceback" not in said
        assert len(said) < (2_500 if "Commands:" in said else 1_500), len(said)  # or the help of all commands
        assert said.startswith(("Usage: ", "Error: ", "skipscan: "))
        if said.startswith("Usage: "):  # click's own words
            assert "Error: " in said or "Commands:" in said or "Options:" in said

    def _check_keys(self, arguments: Sequence[str], printed: str) -> None:
        options = dict(zip(arguments, [*arguments[1:], ""], strict=True))
        form = options.get("--format", "text")
        asked = {"table": arguments[1], "index": options.get("--index"), "format": form}
        lines = printed.split("\n")[:-1]
        if form == "text":
            lines = [json.dumps({name: line}) for line in lines for name in json.loads(next(iter(expected(asked))))]
        assert sorted(lines) == sorted(expected(asked)), arguments


@pytest.fixture
def command_trial(tables: Faulty, monkeypatch: pytest.MonkeyPatch) -> Trial:
    clock = Clock()
    for maker, name in ((lean, "lean_dynamodb"), (clients, "dynamodb")):
        monkeypatch.setattr(maker, name, lambda *_, **__: tables)
    monkeypatch.setattr("boto3.Session", type("NoSession", (), {"__init__": lambda _self, **_: None}))
    monkeypatch.setattr(price_requests, "pricing_client", lambda *_: None)
    monkeypatch.setattr(price_requests, "prices", lambda *_, **__: US_EAST_1)
    monkeypatch.setattr(sample_requests, "time", clock)
    return Trial(tables, monkeypatch)


def run_many(trial: Trial, number: int, lines: st.SearchStrategy[list[str]]) -> Counter[str]:
    @many(number)
    @given(lines)
    def each(arguments: list[str]) -> None:
        trial.run(arguments)

    each()
    assert trial.seen.total() >= examples(number)
    return trial.seen


def test_a_right_command_line_lists_the_right_keys(command_trial: Trial) -> None:
    seen = run_many(command_trial, 300, RIGHT_LINES)
    assert seen["accepted"] >= examples(120)


def test_an_invalid_command_line_is_refused_before_anything_is_read(command_trial: Trial) -> None:
    seen = run_many(command_trial, 900, BENT_LINES)
    assert seen["refused"] >= examples(700)


def test_any_command_line_is_answered(command_trial: Trial) -> None:
    run_many(command_trial, 400, NO_LINES)


def test_a_summary_that_could_not_be_written_is_refused_before_anything_is_read(
    command_trial: Trial, tmp_path: Path
) -> None:
    for path in (tmp_path / "none" / "x.json", tmp_path):
        command_trial.run(["keys", "Orders", "--summary", str(path)])
    assert command_trial.seen["refused"] == 2
