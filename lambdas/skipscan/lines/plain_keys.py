"""Lines of plain keys in another format, many at a time."""

import re
from collections.abc import Callable, Iterator, Sequence
from string import ascii_letters, digits, punctuation
from typing import NamedTuple, Self

from skipscan.lines.line_format import Encode

CANDIDATES = f"{ascii_letters}{digits}{punctuation} "
"""The characters of texts of which the plain ones are chosen."""

NUMBERS = {"-1": b"-?", "1": b"(?:0|[1-9][0-9]*+)", "1.5": rb"(?:\.[0-9]++)?+", "1E+20": b"(?:[eE][+-]?[0-9]++)?+"}
"""The places of a number, each with a number that is plain if all that stands there is. Binary is never plain."""

FEW = 64
"""So many lines are read and written one by one if a key among them is not plain; more are halved first."""


class Frame(NamedTuple):
    """What stands before and after a plain key in a line."""

    before: bytes
    after: bytes

    @classmethod
    def of(cls, encode: Encode, kind: str) -> Self:
        one, two = (encode({kind: content}) for content in ("1", "2"))
        place = next(place for place, (left, right) in enumerate(zip(one, two, strict=True)) if left != right)
        return cls(one[:place], one[place + 1 :])

    def around(self, content: str) -> bytes:
        return self.before + content.encode() + self.after


class PlainKeys:
    """Changes lines of plain keys from the format of `stored` to that of `target`. `kind`: the key attribute's type.

    A plain key is one that a format writes unchanged, between the same bytes in every line: {"id": "a-7"} is the key
    a-7 between `{"id": "` and `"}`. Many lines with plain keys change their format at once, by replacing the bytes
    between two keys: a hundred times as fast as reading and writing each key. The formats' own encoders decide which
    characters are plain.
    """

    def __init__(self, kind: str, stored: Encode, target: Encode) -> None:
        self._frames = [Frame.of(encode, kind) for encode in (stored, target)]
        written = list(zip((stored, target), self._frames, strict=True))

        def plain(*keys: str) -> bool:
            return all(encode({kind: key}) == frame.around(key) for encode, frame in written for key in keys)

        places = b"".join(place for number, place in NUMBERS.items() if plain(number))
        self._numbers = re.compile(b"\n(?:%b\n)++" % places) if kind == "N" else None
        characters = [each for each in CANDIDATES if plain(f"1{each}1")]
        self._allowed = "".join(characters).encode() + b"\n"
        begins = [f"\n{each}" for each in characters if not plain(f"{each}1")]
        ends = [f"{each}\n" for each in characters if not plain(f"1{each}")]
        # Of keys that stand between line feeds: an empty one is two of these.
        self._refused = [each.encode() for each in ("\n\n", *begins, *ends)]

    def change(self, lines: Sequence[bytes]) -> bytes | None:
        """Return the lines in the target format; `None` unless all of their keys are plain."""
        stored, target = self._frames
        body, between = b"".join(lines), stored.after + stored.before
        if not (body.startswith(stored.before) and body.endswith(stored.after)):
            return None
        inner = body[len(stored.before) : len(body) - len(stored.after)]
        if inner.count(between) != len(lines) - 1:
            return None
        keys = b"\n%b\n" % inner.replace(between, b"\n")
        if keys.count(b"\n") != len(lines) + 1 or not self._are_plain(keys):
            return None
        return target.before + keys[1:-1].replace(b"\n", target.after + target.before) + target.after

    def _are_plain(self, keys: bytes) -> bool:
        """Return whether all keys are plain, of keys that stand between line feeds."""
        if self._numbers is not None:
            return self._numbers.fullmatch(keys) is not None
        return not keys.translate(None, self._allowed) and not any(each in keys for each in self._refused)


def changed(lines: Sequence[bytes], plain: PlainKeys | None, convert: Callable[[bytes], bytes]) -> Iterator[bytes]:
    """Yield lines in another format, many at a time. `convert`: changes a line whose key is not plain."""
    if plain is not None and (done := plain.change(lines)) is not None:
        yield done
    elif plain is None or len(lines) <= FEW:
        yield b"".join(map(convert, lines))
    else:
        half = len(lines) // 2
        yield from changed(lines[:half], plain, convert)
        yield from changed(lines[half:], plain, convert)
