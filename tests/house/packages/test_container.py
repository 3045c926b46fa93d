"""The documented command runs the container as its caller, who alone may read ~/.aws/credentials."""

import re

from local.checkout import ROOT

FILE = (ROOT / "tools" / "packaging" / "Dockerfile").read_text(encoding="utf-8")
COMMAND = re.compile(r"docker run [^`\n]*")


def test_the_caller_s_credentials_lie_in_the_home_directory_of_the_container_and_can_be_read() -> None:
    [command] = COMMAND.findall((ROOT / "docs" / "ways-in.md").read_text(encoding="utf-8"))
    assert COMMAND.findall(FILE) == [command]
    assert '--user "$(id -u)"' in command
    [home] = re.findall(r"^ENV HOME=(\S+)", FILE, re.MULTILINE)  # of a user whom the image does not know, too
    assert f"-v ~/.aws:{home}/.aws:ro" in command
    assert f"chmod 755 {home}" in FILE
