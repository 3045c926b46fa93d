"""What every command shares: its line of help, its module, and how little is loaded before it is used."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import click
import pytest
from botocore.exceptions import NoCredentialsError, NoRegionError, ProfileNotFound

from skipscan.cli.commands import COMMANDS, performed
from skipscan.cli.main import skipscan
from tests.unit.cli.command import invoke
from tests.unit.cli.conftest import Told
from tests.unit.cli.program import NO_CREDENTIALS, VARIABLES

LOADED = """
import sys
from skipscan.__main__ import main
sys.argv = ["skipscan", *{arguments}]
try:
    main()
except SystemExit:
    pass
print([name for name in ("boto3", "botocore", "rich", "concurrent.futures") if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["-h"]])
def test_help_and_version_load_neither_boto3_nor_rich(arguments: list[str]) -> None:
    program = [sys.executable, "-c", LOADED.format(arguments=arguments)]
    done = subprocess.run(program, env=VARIABLES, capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr == "[]\n"


INDEX_ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders/index/by-status"
ELSEWHERE = "arn:aws:dynamodb:eu-west-1:123456789012:table/Orders"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("help nope", "No such command 'nope' (see skipscan --help)"),
        ("resume Orders --segments 4", "Resumed work keeps the value that it began with: leave it out (see"),
        ("statsu", "No such command 'statsu'. Did you mean 'status'? (see"),
        ("Orders", "No such command 'Orders'. The keys of a table: skipscan keys Orders (see"),
        ("keys Orders --max-dolars 1", "No such option '--max-dolars'. Did you mean '--max-dollars'? (see"),
        ("plan Orders --format csv", "No such option '--format'. It is an option of keys, run, download, diff (see"),
        ("run Orders --resume r", "No such option '--resume'. There is a command for it: skipscan resume (see"),
        ("keys Orders --xyz", "No such option '--xyz' (see"),
        ("keys Orders --take first", "Did you mean '--items'? (see"),
        ("keys Orders --consistent-read=true", "does not take a value: --consistent-read alone, strongly"),
        ("ls", "The keys of a table: skipscan keys TABLE (see"),
        ("-V", "No such option '-V'. Did you mean '--version'? (see"),
        (
            "keys Orders --max-dollars $2",
            "Invalid value for '--max-dollars': '$2' is no number: write digits and a point alone",
        ),
        ("trim Orders --keep-last 0", "0 is not between 1 and 1000000000: correct it"),
        ("count Orders", "skipscan plan Orders; how many items each has: skipscan keys Orders --count (see"),
        ("keys Orders --limit 10", "skipscan keys TABLE | head"),
        ("plan Orders --env dev", "plan uses no environment: leave it out (see"),
        ("--env dev run Orders", "Options stand behind the command: write skipscan run ... --env (see"),
        ("copy start A B --env dev --cut-over", "No such option '--cut-over'. It is an option of copy compare (see"),
        ("copy --env dev start A B", "write skipscan copy start or copy compare ... --env (see"),
        ("keys Orders --last --format csv", "Option '--last' requires an argument: --last ATTRIBUTES, also take"),
        ("keys Orders,Audit", "give one table, and do this once for each (see"),
        ("version", "No such command 'version'. Did you mean '--version'? (see skipscan --help)"),
        ("keys Orders -i x", "No such option '-i'. Did you mean '--index' or '--items'? (see"),
        ("keys Orders --endpoint-url localhost", "'localhost' is not a URL such as http://localhost:8000"),
        ("policy", "(see skipscan policy --help)"),
        (f"plan {ELSEWHERE} --endpoint-url http://localhost:8000 --region us-east-1", "use --region eu-west-1"),
        (f"keys {ELSEWHERE} --endpoint-url http://localhost:8000 --region us-east-1", "use --region eu-west-1"),
        ("report --folder s3://bucket", '--folder is "s3://bucket"; it must be s3://BUCKET/PREFIX/TABLE/runs/RUN/'),
        ("diff ./monday", "compares two folders, or two runs of a table: give the paths of two"),
        ("destroy --env a_b --yes --region us-east-1", '--env is "a_b"; it must be 1 to 24 of a-z, A-Z, 0-9 and -'),
        ("download ./orders --output -", "'-' is not a file: redirect stdout, or name a file"),
        ("keys Orders --folder orders --format parquet", "use dynamodb-jsonl, and skipscan download with --format p"),
        ("keys Orders --finished keep", "only a folder keeps a listing: add --folder, or leave it out"),
        ("schema", "Missing argument KIND: run, act, retrofit or copy (see skipscan schema --help)"),
        (
            "keys Orders --segments x",
            "no whole number: write digits alone, such as 2 (see skipscan keys --help)",
        ),
        ("keys Orders -e dev", "No such option '-e'. It is an option of run, status, "),
        ("run Orders --profile", "--profile VALUE, AWS profile (default"),
        ("keys Orders --format", "requires an argument: give text, jsonl, "),
        ("--verison", "No such option '--verison'. Did you mean '--version'? (see skipscan --help)"),
        ("keys", "Missing argument 'TABLE': write skipscan keys [OPTIONS] TABLE (see"),
        ("keys Orders --between a", "requires 2 arguments: --between FROM TO, list only keys with"),
        ("trim Orders", "Missing option '--keep-last': --keep-last VALUE, keep so many items"),
        ("run Orders -format csv --env dev", "Got unexpected extra argument (csv): write --format (see"),
        ("keys Orders --output tests", "'tests' is a folder: name a file (see"),
        ("scn Orders", "The keys of a table: skipscan keys Orders"),
        ("keys --table Orders", "No such option '--table'. TABLE needs no option (see"),
        ("keys Orders -format csv", "No such option '-f'. Write --format (see"),
        ("copy start Orders New --dry-run", "Without --for-real the command only shows what it would do (see"),
        ("trim Orders --keep 5", "No such option '--keep'. Did you mean '--keep-last'? (see"),
        ("keys Orders --worker 3", "No such option '--worker'. '--workers' is an option of plan, run, "),
        ("keys Orders --count -5", "A number must not be negative (see"),
        (
            "run Orders dev",
            "Got unexpected extra argument (dev): write skipscan run [OPTIONS] TABLE, with --env",
        ),
        ("keys Orders \u2014max-dollars 2", "it begins with a long dash, write --max-dollars 2 (see"),
        (
            "act Orders r --put-item {item: {}} --env dev",
            "the shell took the quotes of the JSON, write it in single quotes",
        ),
        ("retrofit Audit a={b} --env dev", "write --set 'a={b}' (see"),
        ("copy cut-over Audit New", "write skipscan copy compare Audit New --cut-over (see"),
        ("keys Orders --only customer-1", "give a file with a key a line, or - for stdin (see"),
        ("keys Orders --output s3://bucket/x", "is not on this machine: name a file, and copy it by `aws s3 cp`"),
        ("keys Orders --folder s3://bucket/x", "it must be on this machine: name another; `aws s3 cp --recursive`"),
        ("diff Orders ./monday --env dev", "compares two folders, or two runs of a table: give the paths of two"),
        ("act Orders r --invoke arn:x --env dev", "it must be an object: write it like {"),
        ("keys Orders --format CSV", "Did you mean 'csv'"),
        ("keys ./orders", "give a table; download, report, diff and resume also take a folder (see"),
        (f"keys {INDEX_ARN}", "leave out what follows the table, and --index by-status (see"),
        ("schema runs", "KIND is 'runs'; it must be run, act, retrofit or copy. Did you mean 'run'? (see"),
        ("copy status Audit --env dev", "write skipscan status Audit --env dev --kind copy (see"),
        ("keys Orders --since {ago:1d}", "is not valid JSON, as a time is: write it like "),
        ("deploy --code-bucket Bad_Bucket --env dev", "'Bad_Bucket' is not the name of a bucket: correct it (see"),
        ("diff Orders one one --env dev", 'OLD and NEW are both "one": name two runs (see'),
    ],
)
def test_a_mistyped_word_gets_what_was_meant(typed: str, said: str, told: Told) -> None:
    done = told(*typed.split())
    assert (done.status, done.stdout) == (2, "")
    assert said in done.stderr
    assert (done.stderr[:10], done.stderr.count("\n"), ". (see" in done.stderr) == ("skipscan: ", 1, False)


ANSWERS = {
    "a page of HTML": (200, "text/html", b"<html>hello</html>"),
    "a page that is not there": (404, "text/html", b"<html>secret-answer</html>"),
    "other JSON": (200, "application/json", b'{"ok": true}'),
    "nothing": (200, "text/plain", b""),
    "another service": (400, "application/xml", b"<Error><Code>NoSuchBucket</Code></Error>"),
    "a redirect": (301, "text/html", b""),
}


@contextmanager
def endpoint(status: int, kind: str, body: bytes) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # theirs
            self.rfile.read(int(self.headers.get("content-length", 0)))
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


@pytest.mark.parametrize("bound", ["1d", "yesterday", '{"agoo": "1d", "format": "%Y"}'])
def test_a_bound_that_looks_like_a_time_is_taken_with_a_word_about_times(bound: str) -> None:
    done = invoke("keys", "Orders", "--since", bound, "--segments", "0")
    assert (done.status, done.stderr.count("compared with sort keys")) == (2, 1)
    assert 'is {"ago": "1d", "format": ' in done.stderr


@pytest.mark.parametrize(
    ("command", "variable", "value", "said"),
    [
        ("keys", "AWS_REGION", "frankfurt", "Invalid value for AWS_REGION: 'frankfurt' is not a region"),
        ("status", "SKIPSCAN_ENV", "a_b", 'SKIPSCAN_ENV is "a_b"; it must be the name of an environment'),
    ],
)
def test_a_wrong_value_of_a_variable_is_answered_with_its_name(
    told: Told, command: str, variable: str, value: str, said: str
) -> None:
    done = told(command, "Orders", **{**VARIABLES, variable: value})
    assert (done.status, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("more", "variables", "error", "said"),
    [
        (["--profile", "nobody"], VARIABLES, ProfileNotFound, ["(nobody)", "`aws configure list-profiles`"]),
        (["--region", "us-east-1"], NO_CREDENTIALS, NoCredentialsError, ["--profile"]),
        ([], NO_CREDENTIALS, NoRegionError, ["--region"]),
    ],
)
def test_what_aws_needs_is_named_where_it_is_missing(
    told: Told, more: list[str], variables: dict[str, str], error: type[Exception], said: list[str]
) -> None:
    done = told("keys", "Orders", *more, **variables)
    assert (type(done.error), done.status) == (error, 1)
    assert [word for word in said if word not in done.stderr] == []
    assert done.stderr.endswith("/docs/errors.md)\n") or done.stderr.endswith(" (see docs/errors.md)\n")


@pytest.mark.slow
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("command", ["keys", "plan"])
def test_an_endpoint_that_does_not_speak_dynamodb_is_named(command: str, answer: str, told: Told) -> None:
    with endpoint(*ANSWERS[answer]) as url:
        done = told(command, "Orders", "--endpoint-url", url)
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr.startswith(f"skipscan: {url} does not speak DynamoDB"), done.stderr
    assert "secret-answer" not in done.stderr


# The options in the help of every command: in groups, each with a text, and in columns.


PERFORMED = performed(*COMMANDS)


def titles(name: str, columns: int = 80) -> dict[str, str]:
    """Return the parts of a command's help by their titles."""
    context = click.Context(PERFORMED[name], info_name=name, parent=click.Context(skipscan), terminal_width=columns)
    parts = re.split(r"^([A-Z][a-z ]+):\n", PERFORMED[name].get_help(context), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("columns", [80, 100, 120])
@pytest.mark.parametrize("name", PERFORMED)
def test_the_texts_of_all_groups_begin_in_one_column(name: str, columns: int) -> None:
    shown = "".join(titles(name, columns).values()).partition("\n  Examples:\n")[0]
    begins = {len(found[1]) for found in re.finditer(r"^(  -\S.*?  +)\S", shown, re.MULTILINE) if len(found[1]) < 40}
    begins |= {len(found[1]) for found in re.finditer(r"^( {10,})\S", shown, re.MULTILINE)}
    assert len(begins) == 1
    assert max(map(len, shown.splitlines())) <= columns
