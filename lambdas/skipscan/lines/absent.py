"""Attributes that a run takes and that no item had: mostly a misspelt name, which would show as empty fields."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from skipscan.dynamodb.source import Source
from skipscan.lines.convert import records, selection_of_manifest, source_of, taken_reader
from skipscan.lines.csv import CSV
from skipscan.lines.line_format import json_string
from skipscan.scan.take import Take
from skipscan.scan.taken import Taken

MOST_BYTES = 64 << 20
"""The most of a run's parts that are fetched for this alone."""


class Absent:
    """The attributes to take that no line has had so far. The keys are no matter: every item has them."""

    def __init__(self, source: Source, take: Take) -> None:
        requested = [name for names in take.attributes.values() for name in names or () if name not in source.key_names]
        self.names = dict.fromkeys(requested)
        self._lines = False

    @classmethod
    def of(cls, manifest: Mapping[str, Any], bodies: Iterable[bytes]) -> "Absent":
        """Return what the parts of a run lack. Reads no further than all attributes have occurred."""
        absent = cls.begin(manifest)
        if absent.names:
            for _ in absent.watching(bodies, manifest):
                if not absent.names:
                    break
        return absent

    @classmethod
    def begin(cls, manifest: Mapping[str, Any]) -> "Absent":
        """Return all attributes that a run takes, before its parts are looked at."""
        return cls(source_of(manifest), selection_of_manifest(manifest))

    def watching(self, bodies: Iterable[bytes], manifest: Mapping[str, Any]) -> Iterator[bytes]:
        """Return the parts of a run, each looked at on its way while attributes are left."""
        for body in bodies:
            if self.names:
                self._see_part(body, manifest)
            yield body

    def see(self, lines: Iterable[Taken]) -> None:
        """Look at lines of a run that takes items."""
        for line in lines:
            self._lines = True
            if not self.names:
                return
            for item in line.items.values():
                for name in item or ():
                    self.names.pop(name, None)

    def _see_part(self, body: bytes, manifest: Mapping[str, Any]) -> None:
        if manifest["format"] == CSV.name:
            self.see(map(taken_reader(manifest, CSV.name), records(body, manifest)))
            return
        self._lines |= bool(body)
        # What stands in a nested value counts too: then nothing is said.
        self.names = dict.fromkeys(name for name in self.names if f"{json_string(name)}: ".encode() not in body)

    def __str__(self) -> str:
        """Return the note at the end of a command; empty if there is nothing to say."""
        if not self._lines or not self.names:
            return ""
        return (
            f"no item had {' or '.join(f'`{name}`' for name in self.names)}: check the names of the attributes to take"
        )
