"""A deployment in the middle of a run: the run ends with the code that it began with, the next one has the new code."""

import json
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from infra.versions import unused
from local import cdk
from local.checkout import ACCOUNT, BUILD, REGION, ROOT
from skipscan import __version__
from tests.e2e.conftest import Deployment, Surroundings
from tests.e2e.proxy import Call, ProxyResponse
from tests.fakes.definition import KeySchema, TableDefinition

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import WriteRequestTypeDef

pytestmark = [pytest.mark.xdist_group("embedded"), pytest.mark.timeout(900), pytest.mark.long]

CHANGED = "9.9.9"
KEYS = 150
APP = f"""
import shutil, sys
sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "lambdas")!r}]
from infra import bundle
own = bundle.bundle
def changed(*given, **named):
    '''The bundle with another version number in it, as after an upgrade.'''
    folder = own(*given, **named)
    other = folder.with_name(folder.name + "-changed")
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(folder, other)
    face = other / "skipscan" / "__init__.py"
    face.write_text(face.read_text().replace({__version__!r}, {CHANGED!r}))
    return other
bundle.bundle = changed
exec(compile(open({str(ROOT / "app.py")!r}).read(), "app.py", "exec"))
"""
ENVIRONMENT = {"account": ACCOUNT, "region": REGION, "tables": ["Midway"], "limits": {"batch_pages": 4}}


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(dir=BUILD, prefix="midway-") as name:
        cdk.write_app(Path(name), {"midway": ENVIRONMENT})
        yield Path(name)
    for left in BUILD.glob("bundle-*-changed"):
        shutil.rmtree(left)


def change(folder: Path) -> None:
    """Have the folder's app deploy other code from now on."""
    (folder / "changed.py").write_text(APP)
    settings = json.loads((folder / "cdk.json").read_text())
    settings["app"] = f"{sys.executable} {folder / 'changed.py'}"
    (folder / "cdk.json").write_text(json.dumps(settings))


class Gate:
    """Throttles most pages until it is opened: at first two a second get through, then one in four seconds.

    The deployment takes a minute or several, and a batch that gets no page at all fails.
    """

    def __init__(self) -> None:
        self.last, self.pages, self.reached, self.opened = 0.0, 0, Event(), Event()

    def __call__(self, call: Call) -> ProxyResponse | None:
        if call.name != "Scan" or self.opened.is_set():
            return call.forward()
        if monotonic() - self.last > (0.5 if self.pages < 16 else 4):
            self.last, self.pages = monotonic(), self.pages + 1
            return call.forward()
        self.reached.set()
        error = {"__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", "message": "no"}
        return ProxyResponse(400, json.dumps(error).encode(), (("Content-Type", "application/x-amz-json-1.0"),))


def test_a_run_under_way_ends_with_the_code_it_began_with_and_the_next_one_has_the_new(
    surroundings: Surroundings, folder: Path
) -> None:
    job = Deployment(surroundings.account, surroundings.account.deploy("midway", folder=folder))
    job.load(TableDefinition("Midway", KeySchema.of(("pk", "S"), ("sk", "N"))))
    for n in range(KEYS):  # collections so long that each takes a page of its own
        puts: list[WriteRequestTypeDef] = [
            {"PutRequest": {"Item": {"pk": {"S": f"p{n}"}, "sk": {"N": str(sk)}, "body": {"B": bytes(4000)}}}}
            for sk in range(8)
        ]
        job.account.dynamodb.batch_write_item(RequestItems={"Midway": puts})
    change(folder)
    gate = Gate()
    with surroundings.dynamodb.failing(gate), ThreadPoolExecutor(1) as pool:
        running = pool.submit(job.run, "under-way", table="Midway", segments=8, workers=2)
        try:
            assert gate.reached.wait(120)
            again = Deployment(surroundings.account, surroundings.account.deploy("midway", folder=folder))
            assert not running.done(), running.exception()
        finally:
            gate.opened.set()
        old = running.result(300)
    new = again.run("after", table="Midway", segments=8, workers=2)
    assert (old["keys"], new["keys"]) == (KEYS, KEYS)
    assert job.manifest(old)["skipscan_version"] == __version__
    assert job.manifest(new)["skipscan_version"] == CHANGED
    states = ("compare", "finish", "plan", "report", "scan")
    assert sorted(listed(again)) == [f"skipscan-midway-{state}:1" for state in states]


def listed(job: Deployment) -> list[str]:
    """The versions that nothing uses, by function and number.

    Not asked while the run goes on: of an open execution MiniStack describes the definition that is deployed, and
    Step Functions the one that it began with. tests/infra/test_versions.py has that case.
    """
    found: Any = unused(job.account.awslambda, job.account.stepfunctions, [job.outputs["StateMachineArn"]])
    return [":".join(arn.split(":")[-2:]) for arn in found]
