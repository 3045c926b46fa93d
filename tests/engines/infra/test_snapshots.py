"""Whole templates, as files: `pytest --snapshot-update` writes them again, in a commit that says why they changed."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are a package more, for one function
from syrupy.assertion import SnapshotAssertion

from tests.engines.infra.conftest import ENVIRONMENTS
from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

HASHES = r"(?<=CurrentVersion)(\w{8})[0-9a-f]{32}|\b[0-9a-f]{64}(?=\.zip)"
"""Of the code, in the names of versions and of the bundle: they change with every line of the product."""


def spelled(resource: Mapping[str, Any]) -> dict[str, Any]:
    """Return a resource without the notes of the CDK; a definition or a dashboard is data rather than a text."""
    properties = dict(resource.get("Properties", {}))
    for name in {"DefinitionString", "DashboardBody"} & properties.keys():
        parts = properties[name]["Fn::Join"][1]
        text = "".join(part if isinstance(part, str) else json.dumps(part).replace('"', "'") for part in parts)
        properties[name] = json.loads(text)
    return {**{key: value for key, value in resource.items() if key != "Metadata"}, "Properties": properties}


@pytest.mark.parametrize("environment", [name for name in ENVIRONMENTS if name != "plain"])
def test_the_template_of(environment: str, templates: Mapping[str, Template], snapshot: SnapshotAssertion) -> None:
    document = templates[environment].document
    whole = {
        "Outputs": document["Outputs"],
        "Resources": {name: spelled(resource) for name, resource in document["Resources"].items()},
    }
    text = yaml.safe_dump(json.loads(json.dumps(whole)), default_flow_style=None, width=150)
    assert re.sub(HASHES, r"\1", text) == snapshot, "pytest --snapshot-update tests/engines/infra/test_snapshots.py"
