"""What the commands write: JSON on stdout, and files, checked before any work and visible only when complete."""

import codecs
import errno
import json
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import click

from skipscan.errors import InputError

MOST_NAME_BYTES = 255  # the maximum of Linux's and macOS's file systems


def print_json(document: Any, *, indent: int | None = 2) -> None:
    """Print a document for programs, and for people: names in any script stay readable."""
    # JSON between programs is UTF-8 (RFC 8259, 8.1), and cp1252, which Windows uses for pipes, lacks most letters.
    is_utf8 = codecs.lookup(sys.stdout.encoding).name == "utf-8"
    click.echo(json.dumps(document, indent=indent, ensure_ascii=not is_utf8))


def write_json(file: Path, document: Any) -> None:
    """Write a document to a file, as `print_json` prints it."""
    file.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def writable(value: Path) -> Path:
    """Return a path that can become a file; raise click's error for another, before any reads are paid for."""
    if os.path.isdir(value):  # an empty name is the folder itself
        raise click.BadParameter(f"{str(value)!r} is a folder: name a file")
    if _is_stream(value):
        return value
    if value == Path("-"):
        raise click.BadParameter("'-' is not a file: redirect stdout, or name a file")
    file = _followed(value)
    if "s3:" in file.parts:
        raise click.BadParameter(f"{str(value)!r} is not on this machine: name a file, and copy it by `aws s3 cp`")
    if not file.parent.exists():
        raise click.BadParameter(f"there is no folder {str(file.parent)!r}: make it first")
    if not os.access(file.parent, os.W_OK | os.X_OK):
        raise click.BadParameter(f"{str(file.parent)!r} is not a writable folder: correct it")
    if len(os.fsencode(file.name)) > MOST_NAME_BYTES:
        raise click.BadParameter(f"a file's name has at most {MOST_NAME_BYTES} bytes: shorten it")
    return value


def page_file(default: Path, output: Path | None, *, opens: bool, as_json: bool) -> Path | None:
    """Return the file of a command's page, from its `page_options`; `None` if it writes none."""
    return output or (None if as_json and not opens else writable(default))


def put_page(file: Path, page: bytes, *, opens: bool, as_json: bool) -> None:
    """Write a page and print the file's name; open it in the browser, or say that there is none."""
    with replacing(file) as written:
        written.write(page)
    if not as_json:
        click.echo(file)
    if opens:
        import webbrowser  # noqa: PLC0415 (for the few who ask for it)

        if not webbrowser.open(file.resolve().as_uri()):
            click.echo(f"skipscan: there is no browser here: open {file} elsewhere", err=True)


FILE = click.Path(dir_okay=False, writable=True, path_type=Path)


def check_not_of(folder: Path, *files: Path | None) -> None:
    """Refuse to write over a file of the run or job in a folder. Its report can be drawn again."""
    from skipscan.folder.storage import OWN  # noqa: PLC0415 (takes longer than `--help` may)
    from skipscan.loop.layout import OWN_NAMES  # noqa: PLC0415

    root = _followed(folder)
    for file in filter(None, files):
        target = _followed(file)
        below = target.relative_to(root).parts if target.is_relative_to(root) else ()
        # Without regard to case, like the file systems of macOS and Windows.
        if below and below[0].casefold() in OWN_NAMES | {OWN}:
            raise InputError(str(file), rule=f"belongs to the run in {folder}", remedy="use another name")


def check_distinct_files(option: str, file: Path | None, other: str, second: Path | None) -> None:
    """Refuse one file for two options: it would keep the content of one. A device or pipe takes both."""
    if file is None or second is None or _is_stream(file):
        return
    # Without regard to case, like the file systems of macOS and Windows.
    is_same = str(_followed(file)).casefold() == str(_followed(second)).casefold()
    if is_same or (file.exists() and second.exists() and file.samefile(second)):
        raise InputError(other, str(second), f"{option} writes to the same file", "give each a file of its own")


FULL = {errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", None)} - {None}
"""What writing to a file that is open can meet."""


@contextmanager
def replacing(file: Path) -> Iterator[IO[bytes]]:
    """Open a file that gets its name at the end of the block; after a failure, an earlier file stays unchanged.

    Links are followed, and an earlier file's mode and owner are kept. A device or pipe gets the content as it is
    written. An `OSError` names the file.
    """
    try:
        with file.open("wb") if _is_stream(file) else _replacing(file) as content:
            yield content
    except OSError as error:
        if error.filename is not None or error.errno in FULL:  # and not one of a connection
            error.filename = str(file)
        raise


@contextmanager
def _replacing(file: Path) -> Iterator[IO[bytes]]:
    target = _followed(file)
    unfinished = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}")
    try:
        earlier = target.stat() if target.exists() else None
        # Nobody who could not read the earlier file may read the new one before its mode is set.
        mode = 0o666 if earlier is None else 0o600
        opened = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        with open(opened, "wb") as content:
            if earlier is not None:
                _take_over(unfinished, earlier)
            yield content
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


@contextmanager
def written_to(file: Path | None) -> Iterator[IO[bytes]]:
    """Open a file as `replacing` does, or stdout without one."""
    if file is not None:
        with replacing(file) as content:
            yield content
        return
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except OSError as error:
        if error.filename is None and error.errno in FULL:
            error.filename = "stdout"
            # Otherwise Python would report the error again when it flushes stdout at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _take_over(file: Path, earlier: os.stat_result) -> None:
    """Give a file the owner and mode of an earlier one; the owner only where the process may."""
    if os.name != "nt":
        with suppress(PermissionError):
            os.chown(file, earlier.st_uid, earlier.st_gid)
    file.chmod(stat.S_IMODE(earlier.st_mode) & 0o777)


def _is_stream(file: Path) -> bool:
    """Return whether the name leads to something that takes content but is no file: a device, a pipe."""
    try:
        return not stat.S_ISREG(file.stat().st_mode)
    except OSError:  # mostly nothing is there yet
        return False


def _followed(file: Path) -> Path:
    return Path(os.path.realpath(file))
