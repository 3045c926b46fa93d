"""Messages about input fields, with the options of a command in place of the fields."""

import re
from collections.abc import Collection

OTHER_NAMES = {"verify": "--no-verify", "take": "--first/--last"}
"""The options of fields that have another name on the command line."""

FIELD = r"[a-z_]+(?:[.][a-z]+)?"

NAMED = re.compile(
    r'"(?P<given>[a-z_]+)": (?P<value>true|"[^"]*"|[0-9.]+)'
    r'|(?P<kept>[{].*(?:[}]|[.]{3})|"(?:[^"\\]|\\.)*")'  # documents, some of them cut short, and quoted texts
    rf"|\bleave (?P<left>{FIELD}(?: or {FIELD})?) out\b"
    rf"|\bone of {FIELD}(?:, {FIELD})*"
    rf"|\b(?:lower|raise|use) {FIELD}"
    rf"|(?:^|\band ){FIELD}(?= (?:is|has|are|and) )(?P<flag> is (?:true|false)\b)?"
    r"|(?<![-\w./#])[a-z]+(?:_[a-z]+)+(?![-\w]|[.]\w)",  # no English word, so it is a field wherever it stands
    re.DOTALL,
)
"""Where messages name fields."""


def option_name(field: str) -> str:
    """Return the name of the option that sets an input field."""
    field = field.removeprefix("take.")
    return OTHER_NAMES.get(field) or f"--{field.replace('_', '-')}"


def as_options(message: str, options: Collection[str] = ()) -> str:
    """Return a message with options in place of input fields, except within documents and quoted texts.

    `options`: of the commands that the message can be about. A field that the message tells to give with a value
    becomes an option in any case.
    """

    def option(field: re.Match[str]) -> str:
        name = option_name(field[0])
        return name if name.partition("/")[0] in options else field[0]

    def named(found: re.Match[str]) -> str:
        if found["kept"]:
            return found[0]
        if found["given"]:
            name = option_name(found["given"])
            return name if found["value"] == "true" else f"{name} {found['value'].strip(chr(34))}"
        said = re.sub(FIELD, option, found["left"] or found[0])
        if "--" not in said:
            return found[0]
        if found["left"]:
            return f"leave out {said}"
        return f"{said.removesuffix(found['flag'])} is given" if found["flag"] else said

    return NAMED.sub(named, message)
