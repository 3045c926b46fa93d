"""What is in a table: its collections, items, attributes and indexes, from random segments that are read whole.

boto3 in `planning` and `requests` only. No value of an attribute leaves this package: it keeps names, and prefixes of
sort keys.
"""

import sys
from types import ModuleType
from typing import NoReturn


class _Module(ModuleType):
    """The module itself. People call it for the library's function of nearly the same name."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("skipscan.profile is a module; call skipscan.profile_table(...)")


sys.modules[__name__].__class__ = _Module
