"""`python -m infra.target ENV`: where an environment is deployed, as `cdk bootstrap` takes it, or what is wrong."""

import json
import sys
from pathlib import Path

from skipscan.shown import shown

from .cdk_json import read_environments
from .section import CdkJsonError

CDK_JSON = Path(__file__).resolve().parent.parent / "cdk.json"


def target(name: str, text: str) -> str:
    """Return the account and region of an environment in a cdk.json of that text; raise `CdkJsonError`."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise CdkJsonError(f"cdk.json is no JSON; {error}: correct it") from None
    context = document.get("context") if isinstance(document, dict) else None
    environments = read_environments(context.get("environments") if isinstance(context, dict) else None)
    for environment in environments:
        if environment.name == name:
            return f"aws://{environment.account}/{environment.region}"
    names = ", ".join(environment.name for environment in environments)
    raise CdkJsonError(f"ENV is {shown(name)}; the environments of cdk.json are {names}: name one of them")


if __name__ == "__main__":
    try:
        sys.stdout.write(target(sys.argv[1], CDK_JSON.read_text(encoding="utf-8")) + "\n")
    except CdkJsonError as mistake:
        sys.stderr.write(f"{mistake}\n")
        sys.exit(2)
