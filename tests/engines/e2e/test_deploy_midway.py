"""A deployment in the middle of a run: the run ends with the code that it began with, the next one has the new code."""

import json
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from infra.versions import unused
from local import cdk
from local.checkout import ACCOUNT, BUILD, REGION, ROOT
from skipscan import __version__
from tests.engines.e2e.conftest import Deployment, Surroundings
from tests.engines.e2e.holding import held
from tests.fakes.definition import KeySchema, TableDefinition

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import WriteRequestTypeDef

SECONDS = 600

pytestmark = [pytest.mark.xdist_group("embedded"), pytest.mark.timeout(3 * SECONDS), pytest.mark.long]

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
def app_folder() -> Iterator[Path]:
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


def test_a_run_under_way_ends_with_the_code_it_began_with_and_the_next_one_has_the_new(
    surroundings: Surroundings, app_folder: Path
) -> None:
    job = Deployment(surroundings.account, surroundings.account.deploy("midway", folder=app_folder))
    job.load(TableDefinition("Midway", KeySchema.of(("pk", "S"), ("sk", "N"))))
    for n in range(KEYS):  # collections so long that each takes a page of its own
        puts: list[WriteRequestTypeDef] = [
            {"PutRequest": {"Item": {"pk": {"S": f"p{n}"}, "sk": {"N": str(sk)}, "body": {"B": bytes(4000)}}}}
            for sk in range(8)
        ]
        job.account.dynamodb.batch_write_item(RequestItems={"Midway": puts})
    change(app_folder)
    with ThreadPoolExecutor(1) as pool:
        with held(surroundings.dynamodb) as at_work:
            running = pool.submit(job.run, "under-way", table="Midway", segments=8, workers=2)
            assert at_work.wait(SECONDS)
            again = Deployment(surroundings.account, surroundings.account.deploy("midway", folder=app_folder))
            assert not running.done(), running.exception()
        old = running.result(SECONDS)
    new = again.run("after", table="Midway", segments=8, workers=2)
    assert (old["keys"], new["keys"]) == (KEYS, KEYS)
    assert job.manifest(old)["skipscan_version"] == __version__
    assert job.manifest(new)["skipscan_version"] == CHANGED
    states = ("compare", "finish", "plan", "report", "scan")
    assert sorted(listed(again)) == [f"skipscan-midway-{state}:1" for state in states]


def listed(job: Deployment) -> list[str]:
    """The versions that nothing uses, by function and number.

    Not asked while the run goes on: of an open execution MiniStack describes the definition that is deployed, and
    Step Functions the one that it began with. tests/engines/infra/test_versions.py has that case.
    """
    found: Any = unused(job.account.awslambda, job.account.stepfunctions, [job.outputs["StateMachineArn"]])
    return [":".join(arn.split(":")[-2:]) for arn in found]
