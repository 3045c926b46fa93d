"""`skipscan diff TABLE [OLD [NEW]]`: the new and vanished keys between two runs."""

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

import click

from skipscan.cli.at import At
from skipscan.cli.options import completed, examples, grouped_command, table_argument
from skipscan.cli.output import check_distinct_files, check_not_of, print_json, replacing
from skipscan.cli.say import say, waiting
from skipscan.cli.work_options import env_options, file_option, format_option, is_folder, json_option
from skipscan.errors import InputError, NotFoundError
from skipscan.inputs.names import quoted
from skipscan.inputs.names import table_name as table_name_of
from skipscan.lines.formats import FORMATS, TEXT, header

if TYPE_CHECKING:
    from skipscan.library.deployed import Deployed
    from skipscan.library.finished import Run
    from skipscan.listing.scope import Scope


@grouped_command(
    epilog=examples(
        "skipscan diff Orders --env dev",
        "skipscan diff Orders monday tuesday --env dev --new-keys new.txt --vanished-keys vanished.txt --json",
        "skipscan diff ./monday ./tuesday",
    ),
)
@table_argument
@click.argument("old", required=False, shell_complete=completed("run"))
@click.argument("new", required=False, shell_complete=completed("run"))
@file_option("--new-keys", help="Write the keys that only NEW has to this file.")
@file_option("--vanished-keys", help="Write the keys that only OLD has to this file.")
@format_option("Format of the keys, as in `skipscan keys`.", tuple(FORMATS))
@json_option
@env_options
def diff_command(
    *,
    at: At,
    table_name: str,
    old: str | None,
    new: str | None,
    new_keys: Path | None,
    vanished_keys: Path | None,
    form: str | None,
    as_json: bool,
) -> None:
    """Print the keys of TABLE that are new (+) in run NEW or have vanished (-) since run OLD.

    Without OLD and NEW, compares the two newest finished runs. To compare two folders that `skipscan keys --folder`
    wrote, or copies of runs, name their paths instead of TABLE.

    The difference of keys is exact. Memory does not grow with the keys: both runs are sorted on disk in the folder for
    temporary files (TMPDIR), which needs room for both. With --new-keys, --vanished-keys or --json, keys are counted
    and not printed.
    """
    from skipscan.cli.key_files import measured
    from skipscan.library.finished import run_in
    from skipscan.lines.convert import key_converter, key_lines, source_of
    from skipscan.lines.json_lines import JSONL
    from skipscan.listing.compare.difference import KeyChange, difference
    from skipscan.scan.take import KEYS

    if old is not None and old == new:
        raise InputError("OLD and NEW", rule=f"are both {quoted(old)}", remedy="name two runs")
    form = form or TEXT.name
    check_distinct_files("--new-keys", new_keys, "--vanished-keys", vanished_keys)
    are_folders = is_folder(table_name, at)
    if are_folders:
        _check_folders(table_name, old, new, new_keys, vanished_keys)
    elif "/" in f"{old}{new}":
        raise _no_two_folders()
    with waiting("finding both runs"):
        before, after = (
            map(run_in, (Path(table_name), Path(old or "")))
            if are_folders
            else _runs(at.deployed(table_name), old, new)
        )
        _check_same(before, after)
    counted: Counter[KeyChange] = Counter()
    prints = not (as_json or new_keys or vanished_keys)
    with ExitStack() as stack:
        write: dict[KeyChange, Callable[[bytes], object]] = {}
        for change, file in ((KeyChange.NEW, new_keys), (KeyChange.VANISHED, vanished_keys)):
            if file is not None:
                write[change] = stack.enter_context(replacing(file)).write
                write[change](header(source_of(after.manifest), form, KEYS))
        convert = key_converter({**after.manifest, "format": JSONL.name, "take": None}, form)
        left, right = (
            key_lines(measured(run.storage, run.manifest, run.name, is_file=True), run.manifest, JSONL.name)
            for run in (before, after)
        )
        # The first key comes after both runs are read and sorted, which progress bars show.
        for change, line in difference(left, right, Path(gettempdir())):
            counted[change] += 1
            written = line if convert is None else convert(line)
            if prints:
                sys.stdout.buffer.write((b"+ " if change is KeyChange.NEW else b"- ") + written)
            elif change in write:
                write[change](written)
    if prints:
        sys.stdout.buffer.flush()
    figures = {
        "table": table_name_of(after.manifest["table"]),
        "old": {"run": before.name, "keys": before.manifest["keys"]},
        "new": {"run": after.name, "keys": after.manifest["keys"]},
        "new_keys": counted[KeyChange.NEW],
        "vanished_keys": counted[KeyChange.VANISHED],
    }
    if as_json:
        print_json(figures)
    else:
        said = f"{counted[KeyChange.NEW]:,} new and {counted[KeyChange.VANISHED]:,} vanished {_listed(after).labels}"
        say(f"{said} between {before.name} and {after.name}")


def _no_two_folders() -> InputError:
    way = "give the paths of two folders, and nothing else"
    return InputError("diff", rule="compares two folders, or two runs of a table", remedy=way)


def _check_folders(old: str, new: str | None, more: str | None, *files: Path | None) -> None:
    """Refuse anything but the paths of two folders, and files in one of them."""
    if new is None or more is not None:
        raise _no_two_folders()
    for folder in (old, new):
        check_not_of(Path(folder), *files)
    if Path(old).resolve() == Path(new).resolve():
        raise InputError("OLD and NEW", rule=f"are both {quoted(old)}", remedy="name two folders")


def _runs(deployed: "Deployed", old: str | None, new: str | None) -> "tuple[Run, Run]":
    """Return both runs; raise `NotFoundError` unless there are two comparable runs."""
    from skipscan.library.finished import Run

    def run(manifest: Mapping[str, Any]) -> Run:
        return Run(manifest["run"], manifest, deployed.storage)

    if old is not None:
        before, after = run(deployed.finished(old)), run(deployed.finished(new))
        if before.name == after.name:
            raise InputError("OLD", old, "it is also the newest finished run", "name an older one")
        return before, after
    after = run(deployed.finished(None))
    _check_no_items(after)
    others = (found for found in map(run, deployed.archive().finished()) if found.name != after.name)
    if (earlier := next((found for found in others if _listed(found) == _listed(after)), None)) is None:
        raise NotFoundError(
            f'table "{deployed.table}"',
            rule=f"has no finished run in {deployed.env} that lists the same keys as {after.name}, and a comparison "
            "needs two",
            remedy=f"start one with `skipscan run {deployed.table} --env {deployed.env}`",
        )
    return earlier, after


def _check_same(before: "Run", after: "Run") -> None:
    one, other = _listed(before), _listed(after)
    _check_no_items(before)
    _check_no_items(after)
    if one == other:
        return
    if one.table.arn != other.table.arn:
        rule = f'lists table "{_table(before)}", and {after.name} table "{_table(after)}"'
    elif replace(one, table=other.table) != other:
        rule = f"lists {one}, and {after.name} {other}"
    else:
        rule = f'lists table "{_table(before)}", which was deleted and created again before {after.name}'
    raise NotFoundError(f"run {before.name}", rule=rule, remedy="name two runs that list the same")


def _check_no_items(run: "Run") -> None:
    if _listed(run).has_items:
        raise NotFoundError(
            f"run {run.name}",
            rule="has a line for each item, and only keys and groups can be compared",
            remedy="name two runs without --items",
        )


def _table(run: "Run") -> str:
    return table_name_of(run.manifest["table"])


def _listed(run: "Run") -> "Scope":
    from skipscan.listing.scope import Scope

    return Scope.of_manifest(run.manifest)
