"""The files that the wheel contains for a deployment: template, Lambda zip and policies."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from skipscan.errors import NotFoundError

FOLDER = Path(__file__).parent / "packaged"
TEMPLATE = "skipscan.template.json"


@dataclass(frozen=True)
class Packaged:
    """The files of a folder that `make package` or `make wheel` has written."""

    folder: Path

    @classmethod
    def installed(cls) -> "Packaged":
        """Return the files of this installation or of SKIPSCAN_PACKAGE; raise `NotFoundError` if there are none."""
        folder = Path(os.environ.get("SKIPSCAN_PACKAGE") or FOLDER)
        if not (folder / TEMPLATE).exists():
            raise NotFoundError(
                "this installation has no packaged template: install the wheel that `make wheel` builds, or "
                "deploy from the checkout with make deploy ENV=NAME"
            )
        return cls(folder)

    @cached_property
    def template(self) -> bytes:
        return (self.folder / TEMPLATE).read_bytes()

    @cached_property
    def declared(self) -> Mapping[str, Any]:
        """The template's parameters."""
        found: Mapping[str, Any] = json.loads(self.template)["Parameters"]
        return found

    @property
    def version(self) -> str:
        return str(json.loads(self.template)["Outputs"]["Version"]["Value"])

    @property
    def template_name(self) -> str:
        return f"skipscan-{sha256(self.template).hexdigest()[:16]}.template.json"

    @property
    def zip_name(self) -> str:
        return str(self.declared["CodeKey"]["Default"])

    @cached_property
    def zip(self) -> bytes:
        return (self.folder / self.zip_name).read_bytes()

    def policy(self, name: str) -> dict[str, Any]:
        """Return a packaged policy with its placeholders."""
        found: dict[str, Any] = json.loads((self.folder / "policies" / f"{name}.json").read_text(encoding="utf-8"))
        return found
