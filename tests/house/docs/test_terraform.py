"""The Terraform module and the link to the console name what there is. Neither is applied here."""

import json
import re
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


def blocks(module: dict[str, Any], kind: str) -> dict[tuple[str, ...], Any]:
    """Return the blocks of a kind by their labels."""
    found = {}
    for body in module.get(kind, []):
        inner, labels = body, []
        while names := [name for name in inner if name.startswith('"')]:
            labels.append(names[0].strip('"'))
            inner = inner[names[0]]
        found[tuple(labels)] = inner
    return found


STACK = ("aws_cloudformation_stack", "skipscan")


def test_it_is_the_zip_the_template_and_a_stack(module: dict[str, Any]) -> None:
    resources = blocks(module, "resource")
    objects = [("aws_s3_object", "code"), ("aws_s3_object", "template")]
    assert [*resources] == [*objects, STACK]
    body = resources[STACK]
    assert body["capabilities"] == ['"CAPABILITY_IAM"']
    assert "aws_s3_object.template.key" in body["template_url"]
    assert "template_body" not in body  # which may have 51,200 bytes
    waits = {name: value.strip('"') for name, value in body["timeouts"][0].items() if not name.startswith("__")}
    assert waits == {"create": "60m", "update": "60m", "delete": "90m"}, "functions in a VPC take that long"
    # A failed update goes back to the zip that it had; Terraform otherwise removes it before it changes the stack.
    assert [resources[name]["lifecycle"][0]["create_before_destroy"] for name in objects] == [True, True]


def test_every_reference_has_its_block(module: dict[str, Any]) -> None:
    text = json.dumps({kind: blocks for kind, blocks in module.items() if kind != "__comments__"})
    variables = {name for (name,) in blocks(module, "variable")}
    assert set(re.findall(r"\bvar\.(\w+)", text)) == variables
    assert set(re.findall(r"\blocal\.(\w+)", text)) == set(module["locals"][0]) - {"__is_block__"}
    assert set(re.findall(r"\bdata\.(\w+)\.(\w+)", text)) == set(blocks(module, "data"))
    assert set(re.findall(r"\b(?<!data\.)(aws_\w+)\.(\w+)", text)) == set(blocks(module, "resource"))
    assert set(re.findall(r"\b(\w+)\(", text)) == FUNCTIONS


def test_it_gives_parameters_that_the_template_has_and_all_that_it_must_have(module: dict[str, Any]) -> None:
    given = set(re.findall(r"(\w+) = ", blocks(module, "resource")[STACK]["parameters"]))
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
    kinds = {kind for block in ("data", "resource") for kind, *_ in blocks(module, block) if kind.startswith("aws_s3_")}
    needed = {f"s3:{action}" for kind in kinds for action in PERMISSIONS[kind]}
    section = Path("docs/ways-in.md").read_text().partition("## Terraform\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(s3:\w+)`", section)) == needed
