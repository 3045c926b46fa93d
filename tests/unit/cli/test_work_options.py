"""A missing --env names the environments that could be meant."""

import json
from pathlib import Path

import click
import pytest

from skipscan.cli import complete
from skipscan.cli.work_options import complete_environment, in_cdk_json, missing


@pytest.fixture
def deployed_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of deployed environments, for a command in an empty folder."""
    names = ["prod", "preview"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(complete, "environments", lambda context, says=None: names)
    return names


def context() -> click.Context:
    return click.Context(click.Command("run"))


def offered(incomplete: str) -> list[str]:
    return [str(item.value) for item in complete_environment(context(), click.Option(["--env"]), incomplete)]


def test_those_of_cdk_json_come_first(deployed_names: list[str]) -> None:
    Path("cdk.json").write_text(json.dumps({"context": {"environments": {"test": {}, "dev": {}}}}))
    assert in_cdk_json() == ["dev", "test"]
    assert "(cdk.json here has dev, test)" in missing(context())
    assert (offered(""), offered("t"), offered("p")) == (["dev", "test"], ["test"], [])


def test_else_those_that_are_deployed(deployed_names: list[str]) -> None:
    assert "(deployed here: prod, preview)" in missing(context())
    assert (offered(""), offered("pre")) == (["prod", "preview"], ["preview"])
    deployed_names.clear()
    assert "(the stack of an environment is skipscan-ENV)" in missing(context())
