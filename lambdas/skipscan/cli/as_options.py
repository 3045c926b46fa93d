"""Errors about input fields, with the options of a command in place of the fields."""

from collections.abc import Collection
from functools import partial

from skipscan.errors import Mention, Text, Use, rendered
from skipscan.inputs.fields import RESUMED, option_name


def as_options(text: Text, options: Collection[str]) -> str:
    """Return a text in words, with options in place of the fields that it mentions.

    `options`: of the commands that the text can be about; other fields keep their names. A field that the text tells to
    give becomes an option in any case, and work to resume the command that does so.
    """
    return rendered(text, partial(_with_options, options))


def _with_options(options: Collection[str], mention: Mention) -> str:
    if mention.use is Use.GIVE:
        option = option_name(mention.fields[0])
        value = mention.value.strip('"')
        if mention.fields == (RESUMED,):
            return f"`skipscan resume TABLE {value}`"
        return option if value == "true" else f"{option} {value}"
    known = {field: option_name(field) for field in mention.fields if option_name(field).partition("/")[0] in options}
    names = tuple(known.get(field, field) for field in mention.fields)
    if not known:
        return str(mention)
    if mention.use is Use.IS and mention.value in {"true", "false"}:
        return f"{names[0]} is given"
    if mention.use is Use.LEAVE:
        return f"leave out {' or '.join(names)}"
    return str(Mention(names, mention.use, mention.value))
