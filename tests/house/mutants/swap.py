"""A mutant is put into functions that are loaded already: their code is exchanged, and nothing is imported anew."""

import gc
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FunctionType

Place = tuple[str, str, int]
"""Where a function is defined: file, name, first line."""


def place(code: CodeType) -> Place:
    return code.co_filename, code.co_name, code.co_firstlineno


def exchanged(path: Path, old: str, new: str) -> list[tuple[CodeType, CodeType]] | None:
    """Return the outermost functions of a source that differ, as they are and as they become.

    None if something differs that runs when the module is imported: a constant, a default, a decorator.
    """
    file = str(path.resolve())
    pairs = list(_differing(*(compile(text, file, "exec", dont_inherit=True) for text in (old, new))))
    whole = [(before, after) for before, after in pairs if after is not None]
    return whole if len(whole) == len(pairs) else None


class Loaded:
    """The functions of this process that are defined below a folder."""

    def __init__(self, folder: Path) -> None:
        root = f"{folder.resolve()}/"
        self._at: dict[Place, list[FunctionType]] = defaultdict(list)
        was_frozen = gc.get_freeze_count()
        gc.unfreeze()  # permanent objects are in no list
        for each in gc.get_objects():
            if type(each) is FunctionType and each.__code__.co_filename.startswith(root):
                self._at[place(each.__code__)].append(each)
        if was_frozen:
            gc.freeze()

    def exchange(self, pairs: Sequence[tuple[CodeType, CodeType]]) -> bool:
        """Exchange the code of functions; return False, and do nothing, unless each is loaded and fits."""
        live = [(self._at.get(place(before), []), before, after) for before, after in pairs]
        for functions, before, after in live:
            known = all(not [*_differing(each.__code__, before)] for each in functions)
            if not functions or not known or before.co_freevars != after.co_freevars:
                return False
        for functions, _, after in live:
            for each in functions:
                each.__code__ = after
        return True


def sources_exchanged(folder: Path, changed: Mapping[Path, str]) -> list[tuple[CodeType, CodeType]] | None:
    """Return the functions that differ in all changed sources of a folder."""
    found = []
    for path, text in changed.items():
        pairs = exchanged(folder / path, (folder / path).read_text(), text)
        if pairs is None:
            return None
        found += pairs
    return found


def _differing(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType | None]]:
    """Yield the outermost functions that differ; the code itself and None if that is no function."""
    if before.co_flags & CO_NEWLOCALS:
        if not _is_same(before, after):
            yield before, after
        return
    inner = list(zip(_codes(before), _codes(after), strict=False))
    if len(_codes(before)) != len(_codes(after)) or not _is_same(before, after, nested=False):
        yield before, None
        return
    for pair in inner:
        yield from _differing(*pair)


def _is_same(one: CodeType, other: CodeType, *, nested: bool = True) -> bool:
    """Tell whether code does the same, wherever it stands. `nested`: and the functions in it."""
    if len(one.co_consts) != len(other.co_consts):
        return False
    for mine, others in zip(one.co_consts, other.co_consts, strict=True):
        if isinstance(mine, CodeType) and isinstance(others, CodeType):
            if (nested and not _is_same(mine, others)) or mine.co_name != others.co_name:
                return False
        elif type(mine) is not type(others) or repr(mine) != repr(others):
            return False
    return all(getattr(one, name) == getattr(other, name) for name in SAME)


SAME = (
    *("co_code", "co_exceptiontable", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags"),
    *("co_argcount", "co_kwonlyargcount", "co_posonlyargcount"),
)


def _codes(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]
