"""The Terraform module and the link to the console name what there is. Neither is applied here."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hcl2
import pytest

from tests.unit.cli.stack.conftest import PARAMETERS

pytestmark = [pytest.mark.xdist_group("hcl2"), pytest.mark.slow]  # its first use makes a parser, which takes seconds

MODULE = Path("examples/terraform/main.tf")
FUNCTIONS = {"filemd5", "fileset", "filesha256", "length", "list", "map", "merge", "one", "try"}


@pytest.fixture(scope="module")
def module() -> dict[str, Any]:
    parsed: dict[str, Any] = hcl2.loads(MODULE.read_text())
    return parsed


def named(module: dict[str, Any], kind: str) -> list[tuple[str, ...]]:
    """Return the labels of the blocks of a kind."""
    return [tuple(label.strip('"') for label in labels(block)) for block in module.get(kind, [])]


def labels(block: Any) -> Iterator[str]:
    names = [name for name in block if name.startswith('"')]
    for name in names[:1]:
        yield name
        yield from labels(block[name])


def stack(module: dict[str, Any]) -> dict[str, Any]:
    [found] = [block for block in module["resource"] if '"aws_cloudformation_stack"' in block]
    body: dict[str, Any] = found['"aws_cloudformation_stack"']['"skipscan"']
    return body


def test_it_is_the_zip_the_template_and_a_stack(module: dict[str, Any]) -> None:
    assert named(module, "resource") == [
        ("aws_s3_object", "code"),
        ("aws_s3_object", "template"),
        ("aws_cloudformation_stack", "skipscan"),
    ]
    body = stack(module)
    assert body["capabilities"] == ['"CAPABILITY_IAM"']
    assert "aws_s3_object.template.key" in body["template_url"]
    assert "template_body" not in body  # which may have 51,200 bytes


def test_every_reference_has_its_block(module: dict[str, Any]) -> None:
    text = json.dumps({kind: blocks for kind, blocks in module.items() if kind != "__comments__"})
    variables = {name for (name,) in named(module, "variable")}
    assert set(re.findall(r"\bvar\.(\w+)", text)) == variables
    assert set(re.findall(r"\blocal\.(\w+)", text)) == set(module["locals"][0]) - {"__is_block__"}
    assert set(re.findall(r"\bdata\.(\w+)\.(\w+)", text)) == set(named(module, "data"))
    assert set(re.findall(r"\b(?<!data\.)(aws_\w+)\.(\w+)", text)) == set(named(module, "resource"))
    assert set(re.findall(r"\b(\w+)\(", text)) == FUNCTIONS


def test_the_objects_of_the_stack_that_is_there_outlive_its_update(module: dict[str, Any]) -> None:
    """A failed update goes back to the zip that it had; Terraform otherwise removes it before it changes the stack."""
    objects = [
        block['"aws_s3_object"'][f'"{name}"']
        for kind, name in named(module, "resource")
        for block in module["resource"]
        if kind == "aws_s3_object" and f'"{name}"' in block.get('"aws_s3_object"', {})
    ]
    assert [body["lifecycle"][0]["create_before_destroy"] for body in objects] == [True, True]


def test_terraform_waits_for_functions_in_a_vpc(module: dict[str, Any]) -> None:
    [given] = stack(module)["timeouts"]
    assert {name: value.strip('"') for name, value in given.items() if not name.startswith("__")} == {
        "create": "60m",
        "update": "60m",
        "delete": "90m",
    }


def test_it_gives_parameters_that_the_template_has_and_all_that_it_must_have(module: dict[str, Any]) -> None:
    given = set(re.findall(r"(\w+) = ", stack(module)["parameters"]))
    given |= {name.strip('"') for name in module["locals"][0]["others"]}
    assert given <= PARAMETERS.keys()
    assert given >= {"Table", "CodeBucket", "CodeKey", "EnvironmentName", "Table5"}


def test_the_link_to_the_console_gives_parameters_that_the_template_has() -> None:
    given = set(re.findall(r"param_(\w+)=", Path("docs/ways-in.md").read_text()))
    assert given == {"EnvironmentName", "CodeBucket", "Table"} <= PARAMETERS.keys()


PERMISSIONS = {
    "aws_s3_bucket": {"ListBucket"},
    "aws_s3_object": {"PutObject", "GetObject", "GetObjectTagging", "DeleteObject"},
}
"""What the provider's calls take: HeadBucket of the data source; PutObject, HeadObject and GetObjectTagging of an
object, and DeleteObject of the one that an upgrade replaces (hashicorp/terraform-provider-aws, internal/service/s3)."""


def test_the_page_names_what_the_module_needs_in_the_bucket(module: dict[str, Any]) -> None:
    kinds = {kind for block in ("data", "resource") for kind, *_ in named(module, block) if kind.startswith("aws_s3_")}
    needed = {f"s3:{action}" for kind in kinds for action in PERMISSIONS[kind]}
    section = Path("docs/ways-in.md").read_text().partition("## Terraform\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(s3:\w+)`", section)) == needed
