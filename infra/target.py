"""`python -m infra.target ENV`: prints where an environment is deployed, as `cdk bootstrap` takes it."""

import json
import sys
from pathlib import Path

from skipscan.inputs.names import quoted

from .cdk_json import read_environments
from .environment import Environment
from .section import CdkJsonError, ending

CDK_JSON = Path(__file__).resolve().parent.parent / "cdk.json"


def environment_named(name: str, content: str | bytes) -> Environment:
    """Return an environment from the content of a cdk.json; raise `CdkJsonError`."""
    try:
        document = json.loads(content, object_pairs_hook=_distinct)
    except ValueError as error:
        raise CdkJsonError(f"cdk.json is not valid JSON; {error}: correct it") from None
    context = document.get("context") if isinstance(document, dict) else None
    environments = read_environments(context.get("environments") if isinstance(context, dict) else None)
    for environment in environments:
        if environment.name == name:
            return environment
    names = ", ".join(environment.name for environment in environments)
    raise CdkJsonError(f"ENV is {quoted(name)}; the environments of cdk.json are {names}: use one of them")


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object; refuse a name that is there twice, of which JSON readers silently take the last."""
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise CdkJsonError(f"cdk.json has {quoted(name)} twice in one object: rename or remove one")
        found[name] = value
    return found


def target(name: str, content: str | bytes) -> str:
    """Return where an environment is deployed, in the form of `cdk bootstrap`; raise `CdkJsonError`."""
    environment = environment_named(name, content)
    return f"aws://{environment.account}/{environment.region}"


if __name__ == "__main__":
    with ending(CdkJsonError):
        sys.stdout.write(target(sys.argv[1], CDK_JSON.read_bytes()) + "\n")
