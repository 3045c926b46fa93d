"""Every dependency is pinned, with the hashes of all its files."""

import json
import re
import tomllib

import pytest

from local.checkout import ROOT

FILES = ("requirements.txt", "requirements/*.txt", "lambdas/requirements.txt", "tools/local/requirements.txt")
LOCKS = sorted(path.relative_to(ROOT) for pattern in FILES for path in ROOT.glob(pattern))


def pins(text: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS, ids=str)
def test_every_requirement_has_one_version_and_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text()
    requirements = re.sub(r"#.*", "", text).replace("\\\n", " ").strip().splitlines()
    # One more where the newest does not support the oldest Python.
    named = [re.sub(r"==\S+| *--hash=.*", "", requirement) for requirement in requirements]
    assert len(named) == len(set(named)) > 0
    assert [line for line in requirements if "--hash=sha256:" not in line] == []


@pytest.mark.parametrize("lock", LOCKS, ids=str)
def test_a_lock_has_every_requirement(lock: str) -> None:
    path = ROOT / lock
    asked = re.findall(r"^([a-z0-9-]+)", path.with_suffix(".in").read_text(), re.MULTILINE)
    assert asked
    assert set(asked) - {"-r", "-c"} <= pins(path.read_text()).keys()


def test_what_deploys_is_what_is_tested() -> None:
    deployed, tested = (pins((ROOT / lock).read_text()) for lock in ("requirements.txt", "requirements/dev.txt"))
    assert deployed.items() <= tested.items()
    assert pins((ROOT / "lambdas/requirements.txt").read_text()).items() <= tested.items()


def test_skipscan_is_built_by_a_locked_setuptools() -> None:
    [requirement] = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert requirement == f"setuptools=={pins((ROOT / 'requirements.txt').read_text())['setuptools']}"


def test_every_npm_package_has_its_checksum() -> None:
    packages = json.loads((ROOT / "tools" / "package-lock.json").read_text())["packages"]
    del packages[""]
    assert packages
    assert [name for name, package in packages.items() if not package.get("integrity", "").startswith("sha512-")] == []
