"""Whatever happens to a command, it ends with words and a status: no traceback, no endless wait."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.exceptions import Exit

from skipscan.cli import main
from skipscan.errors import read_on
from tests.unit.cli.conftest import Told
from tests.unit.cli.program import LAMBDAS, SKIPSCAN, VARIABLES

pytestmark = pytest.mark.slow

INTERRUPTING = """
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
"""

ANSWERS = {
    "a page of HTML": (200, "text/html", b"<html>hello</html>"),
    "a page that is not there": (404, "text/html", b"<html>secret-answer</html>"),
    "a page that is forbidden": (403, "text/html", b"<html>secret-answer</html>"),
    "other JSON": (200, "application/json", b'{"ok": true}'),
    "a list": (200, "application/json", b"[1]"),
    "nothing": (200, "text/plain", b""),
    "another service": (400, "application/xml", b"<Error><Code>NoSuchBucket</Code></Error>"),
    "a redirect": (301, "text/html", b""),
}


endpoint_asked: list[str] = []
"""The operations that endpoints were asked for."""


@contextmanager
def endpoint(status: int, kind: str, body: bytes) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # theirs
            self.rfile.read(int(self.headers.get("content-length", 0)))
            endpoint_asked.append(self.headers.get("x-amz-target", "").rpartition(".")[2])
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def skipscan(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [*SKIPSCAN, *arguments]
    return subprocess.run(command, env={**VARIABLES, **variables}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("command", ["keys", "plan"])
def test_an_endpoint_that_does_not_speak_dynamodb_is_named(command: str, answer: str, told: Told) -> None:
    with endpoint(*ANSWERS[answer]) as url:
        done = told(command, "Orders", "--endpoint-url", url)
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr.startswith(f"skipscan: {url} does not speak DynamoDB"), done.stderr
    assert "secret-answer" not in done.stderr


@pytest.mark.parametrize("command", ["keys", "plan", "profile"])
@pytest.mark.parametrize(
    ("code", "attempts"), [("InternalServerError", 6), ("ThrottlingException", 6), ("InvalidSignatureException", 1)]
)
def test_an_error_that_passes_is_met_several_times_before_it_ends_a_command(
    command: str, code: str, attempts: int, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    body = json.dumps({"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "no"}).encode()
    with endpoint(500 if code.startswith("Internal") else 400, "application/x-amz-json-1.0", body) as url:
        endpoint_asked.clear()
        done = told(command, "Orders", "--endpoint-url", url)
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr.startswith(f"skipscan: DescribeTable failed with {code}: no")
    assert endpoint_asked == ["DescribeTable"] * attempts


@pytest.mark.parametrize(
    "module", ["boto3", "click", "skipscan.cli.main", "skipscan.cli.commands.keys", "skipscan.cli.into_folder"]
)
def test_ctrl_c_while_the_command_is_loaded_is_a_word(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTING.format(module=module))
    done = skipscan("keys", "Orders", PYTHONPATH=f"{tmp_path}{os.pathsep}{LAMBDAS}")
    assert (done.returncode, done.stderr) == (130, "skipscan: interrupted\n")


@contextmanager
def waiting_for_an_answer() -> Iterator[subprocess.Popen[str]]:
    """A command whose first request is received and never answered."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        command = [*SKIPSCAN, "keys", "Orders", "--endpoint-url", url]
        with subprocess.Popen(command, env=VARIABLES, stderr=subprocess.PIPE, text=True) as running:
            connection = silent.accept()[0]
            assert connection.recv(1)
            yield running
            connection.close()


@pytest.mark.posix  # Windows has no SIGINT for one process
def test_ctrl_c_pressed_again_and_again_shows_no_traceback() -> None:
    with waiting_for_an_answer() as running:
        while running.poll() is None:
            running.send_signal(signal.SIGINT)
            threading.Event().wait(0.02)
        assert running.returncode in (130, -signal.SIGINT)
        assert running.stderr
        assert running.stderr.read().strip() in ("", "skipscan: interrupted")


@pytest.mark.posix
@pytest.mark.usefixtures("signals_end")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_command_that_is_ended_from_outside_ends_as_after_ctrl_c(name: str) -> None:
    with waiting_for_an_answer() as running:
        running.send_signal(getattr(signal, name))
        _, said = running.communicate()
    assert (running.returncode, said.strip()) == (130, "skipscan: interrupted")


TWICE = """
import os, signal
from skipscan import __main__
from skipscan.cli import main
def ended():
    try:
        os.kill(os.getpid(), signal.{name})
    except KeyboardInterrupt:
        os.kill(os.getpid(), signal.{name})
        print("ended in order")
main.run_command_line = ended
__main__.main()
"""


@pytest.mark.posix
@pytest.mark.usefixtures("signals_end")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_second_signal_does_not_disturb_the_end(name: str) -> None:
    """When a terminal is closed, its shell sends SIGHUP, and so does the kernel."""
    program = [sys.executable, "-c", TWICE.format(name=name)]
    done = subprocess.run(program, env=VARIABLES, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("ended in order\n", 0)


@pytest.mark.posix
def test_a_command_that_ignores_the_end_of_its_terminal_goes_on_ignoring_it() -> None:
    told = "import signal\nfrom skipscan import __main__\n"
    told += "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n__main__.sys.argv = ['skipscan', '--version']\n"
    told += "try:\n    __main__.main()\nfinally:\n    print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)\n"
    done = subprocess.run([sys.executable, "-c", told], env=VARIABLES, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "True"


@pytest.mark.parametrize("arguments", [["--help"], ["keys", "--help"], ["completion", "bash"], ["--version"]])
def test_a_closed_output_pipe_is_reported_by_the_status_alone(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [*SKIPSCAN, *arguments]
    done = subprocess.run(command, env=VARIABLES, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize(("file", "ended"), [(None, Exit), ("a?b", OSError)])
def test_windows_reports_a_closed_pipe_as_an_invalid_argument(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str | None, ended: type[Exception]
) -> None:
    monkeypatch.setattr(main, "PIPE_CLOSED", {errno.EINVAL})
    with (tmp_path / "stdout").open("w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        with pytest.raises(ended), main._reader_gone():
            raise OSError(errno.EINVAL, "Invalid argument", file)


def test_errors_on_a_closed_stderr_keep_their_status() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*SKIPSCAN, "keys", "a b"], env=VARIABLES, stdout=subprocess.PIPE, stderr=writing, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize(
    ("arguments", "status", "where"),
    [
        (["keys", "a b"], 2, "skipscan keys --help"),
        (["keys", "Orders", "--segments", "0"], 2, "skipscan keys --help"),
        (["keys", "Orders", "--segments", "x"], 2, "skipscan keys --help"),
        (["nothing"], 2, "skipscan --help"),
        (["policy"], 2, "skipscan policy --help"),
        (["schema"], 2, "skipscan schema --help"),
        (["keys", "Orders", "--profile", "nobody"], 1, "docs/errors.md"),
    ],
)
def test_every_error_has_one_style_and_says_where_to_read_on(
    arguments: list[str], status: int, where: str, told: Told
) -> None:
    done = told(*arguments)
    assert (done.status, done.stdout) == (status, "")
    assert done.stderr.startswith("skipscan: "), done.stderr
    assert done.stderr.endswith(f" (see {where})\n"), done.stderr
    assert done.stderr.count("\n") == 1
    assert ". (see" not in done.stderr


def test_a_missing_choice_is_answered_with_the_choices(told: Told) -> None:
    said = "skipscan: Missing argument NAME: command-line, run, jobs, cut-over or topic (see skipscan policy --help)\n"
    done = told("policy")
    assert (done.status, done.stdout, done.stderr) == (2, "", said)


def test_a_message_keeps_its_dots_at_the_end() -> None:
    assert read_on("run make deploy ENV=...", "errors.md") == "run make deploy ENV=... (see errors.md)"
    assert read_on("correct it.", "errors.md") == "correct it (see errors.md)"


@pytest.mark.parametrize(
    "arguments",
    [
        ["keys", "\udc80"],
        ["keys", "Orders", "--index", "\udc80"],
        ["retrofit", "Audit", "--env", "dev", "--set", "made={a}\udc80"],
        ["retrofit", "Audit", "--env", "dev", "--set", "\udc80={a}"],
        ["act", "Orders", "run-1", "--env", "dev", "--put-item", '{"item": {"sk": "\udc80"}}'],
        ["act", "Orders", "run-1", "--env", "dev", "--put-item", '{"item": {"sk": "\\ud800", "x": "{pk}"}}'],
        ["act", "Orders", "run-1", "--env", "dev", "--delete-item", '{"key": {"\\udfff": 1}}'],
        ["copy", "start", "Audit", "\udc80", "--env", "dev"],
        ["run", "Orders", "--env", "dev", "--compare", "\udc80"],
        ["status", "Orders", "\udc80", "--env", "\udc80"],
    ],
)
def test_a_lone_surrogate_in_any_argument_is_a_mistake_in_words(arguments: list[str], told: Told) -> None:
    done = told(*arguments)
    assert done.status == 2, done.stderr
    assert done.stderr.startswith("skipscan: "), done.stderr
