"""Keys written to a file or to stdout, in the line formats or as Parquet."""

import sys
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from skipscan.cli.output import replacing
from skipscan.library.parquet import PARQUET, ParquetFile, is_text_alone, write_texts
from skipscan.lines.convert import convert, reader, records, selection_of_manifest, source_of
from skipscan.lines.formats import FORMATS
from skipscan.lines.text import TEXT


def is_unnamed(form: str) -> bool:
    """Return whether --format has its default value."""
    source = click.get_current_context().get_parameter_source("form")
    return form == TEXT.name and source is ParameterSource.DEFAULT


def check_room(form: str) -> None:
    """Refuse a line format that can hold keys only."""
    if FORMATS[form].taking is None:
        able = ", ".join(name for name, one in FORMATS.items() if one.taking is not None)
        raise click.UsageError(
            f"--format {form} cannot hold items or counts: use {able} or {PARQUET}, or leave out --first, --last, "
            "--items and --count"
        )


def write_keys(bodies: Iterable[bytes], manifest: Mapping[str, Any], output: Path | None, form: str) -> None:
    """Write the keys of a run's parts; a file gets its name when it is complete."""
    if form != PARQUET:
        content = convert(bodies, manifest, form)
        if output is None:
            for lines in content:
                sys.stdout.buffer.write(lines)
            sys.stdout.buffer.flush()
        else:
            with replacing(output) as file:
                file.writelines(content)
        return
    if output is None:
        check_not_shown()
    write = partial(write_texts, manifest, bodies) if is_text_alone(manifest) else _gathered(bodies, manifest).write
    if output is None:
        write(sys.stdout.buffer)
        sys.stdout.buffer.flush()
    else:
        with replacing(output) as file:
            write(file)


def _gathered(bodies: Iterable[bytes], manifest: Mapping[str, Any]) -> ParquetFile:
    take, read = selection_of_manifest(manifest), reader(manifest, PARQUET)
    made = ParquetFile.begin(source_of(manifest), take)
    for body in bodies:
        made.add(map(read, records(body, manifest)))
    return made


def check_not_shown() -> None:
    """Refuse to write Parquet to a terminal."""
    if sys.stdout.isatty():
        raise click.UsageError('--format is "parquet"; a terminal cannot show Parquet: redirect stdout to a file')
