"""The typed options are the fields of an input, so that no editor and no type checker lacks one."""

from typing import get_args, get_type_hints

from skipscan.library.options import StartOptions
from skipscan.lines.formats import STORED
from skipscan.listing.fields import FIELDS
from skipscan.scan.take import TAKEN


def test_every_field_is_an_option() -> None:
    fields = {field.name for field in FIELDS} - {"table", "take"}
    assert {*StartOptions.__annotations__} == fields | {*TAKEN}, "library/options.py"


def test_every_format_of_parts_is_an_option_s_value() -> None:
    formats, _ = get_args(get_type_hints(StartOptions)["format"])
    assert get_args(formats) == STORED, "library/options.py"
