"""The rules for names of tables, indexes and runs, and how messages quote a value."""

import json
import re
from collections.abc import Iterable
from decimal import Decimal

TABLE_NAME = re.compile(r"[a-zA-Z0-9_.-]{3,255}")
"""A table's or an index's (developer guide, "Naming rules and data types")."""

TABLE_ARN = re.compile(
    r"arn:aws[a-z-]*:dynamodb:(?P<region>[a-z0-9-]+):(?P<account>[0-9]{12}):table/(?P<name>[a-zA-Z0-9_.-]{3,255})"
)
VERIFIED = "skipscan-verify-"
"""What the names of the tables begin with that `make verify` makes."""

TOPIC_NAME = re.compile(r"[A-Za-z0-9_-]{1,256}")


def topic_arn(region: str = "[a-z0-9-]+") -> str:
    """Return the pattern of the ARN of a standard topic, not FIFO (API reference of SNS, "CreateTopic")."""
    return f"arn:aws[a-z-]*:sns:{region}:[0-9]{{12}}:{TOPIC_NAME.pattern}"


TOPIC_ARN = re.compile(topic_arn())

ENVIRONMENT_NAME = re.compile(r"[a-zA-Z0-9-]{1,24}")
ACCOUNT = re.compile(r"[0-9]{12}")
REGION = re.compile(r"[a-z]{2,}(-[a-z]+)+-[0-9]+|localhost")
"""`localhost` is that of NoSQL Workbench's DynamoDB Local and of plug-ins; it keeps the tables of each region apart."""

_TAG = r"[\w\xa0\u3000 .:/=+@-]"
TAG_NAME, TAG_VALUE = re.compile(f"(?!(?i:aws):){_TAG}{{1,128}}"), re.compile(f"{_TAG}{{0,256}}")
"""Letters, digits and spaces of all scripts, and a few signs (CloudFormation API reference, "Tag")."""

BUCKET_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
"""A bucket's (S3 user guide, "General purpose bucket naming rules"), as far as a policy depends on it."""

# The names of executions (Step Functions API reference, StartExecution): nearly no character with a meaning in a path,
# a URL or a shell. Names that consist of dots are excluded, see `is_run_name`.
RUN_NAME = re.compile(r"[^\s<>{}\[\]?*\"#%\\^|~`$&,;:/\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]{1,80}")

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
"""Characters that HTML, UTF-8 or a terminal does not show as text; and those that nobody sees (Unicode's property
Default_Ignorable_Code_Point), of which some turn the text around them, so that a name shows as another one (Unicode
Standard Annex 9, "Explicit Directional Formatting Characters"). Joiners and variation selectors stay: scripts and emoji
need them."""


def visible(text: str) -> str:
    """Return a text for people, in which names can have any character: without those that nobody sees."""
    return UNSEEN.sub("\ufffd", text)


def is_table(table: str) -> bool:
    """Return whether a text can be a table's name or ARN."""
    return bool(TABLE_NAME.fullmatch(table) or TABLE_ARN.fullmatch(table))


def table_name(table: str) -> str:
    """Return the bare name of a table given by name or ARN."""
    arn = TABLE_ARN.fullmatch(table)
    return arn["name"] if arn else table


def table_owner(table: str, place: str) -> str:
    """Return the suffix that marks a table of another account or region than the stack's; empty for its own.

    `place`: region and account of the stack, like us-east-1:111111111111. No table's name contains an @.
    """
    arn = TABLE_ARN.fullmatch(table)
    if not arn or f"{arn['region']}:{arn['account']}" == place:
        return ""
    return f"@{arn['account']}-{arn['region']}"


def table_arn(table: str, like: str) -> str:
    """Return the ARN of a table; a bare name means the account and region of another resource.

    `like`: the ARN of that resource.
    """
    if TABLE_ARN.fullmatch(table):
        return table
    _, partition, _, region, account, *_ = like.split(":")
    return f"arn:{partition}:dynamodb:{region}:{account}:table/{table}"


def is_run_name(name: str) -> bool:
    """Return whether a run can have this name: one step of a path on S3 that cannot lead out of its folder."""
    return bool(RUN_NAME.fullmatch(name) and name.strip("."))


def similar(word: str, names: Iterable[str]) -> list[str]:
    """Return up to three of these names that a person may have meant, the likeliest first."""
    from difflib import get_close_matches  # noqa: PLC0415 (after a mistake alone)

    # Without case, and without the dashes of options, which make --format look like --first.
    plain = {name.casefold().lstrip("-"): name for name in names}
    return [plain[near] for near in get_close_matches(word[:64].casefold().lstrip("-"), plain)]


MOST_CHARACTERS = 100


def quoted(value: object) -> str:
    """Return a value as ASCII JSON, cut to a length that fits a message. A number has no exponent.

    ASCII makes look-alike letters, line ends and lone surrogates visible.
    """
    try:
        text = json.dumps(value, default=repr)
        if isinstance(value, float) and "e" in text:
            text = f"{Decimal(text):f}"
        elif isinstance(value, float):  # as it was typed: 20, not 20.0
            text = text.removesuffix(".0")
    except (RecursionError, ValueError):  # nested deeper, or a longer number, than Python turns into text
        return f"a value too {'long' if isinstance(value, int) else 'deep'} to show"
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 3]}..."


def has_lone_surrogate(text: str) -> bool:
    """Return whether a text has half of a surrogate pair, so that it has no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def printable(text: str) -> str:
    """Return a message in printable ASCII, with names and texts escaped where necessary."""
    return "".join(c if " " <= c <= "~" else c.encode("unicode_escape").decode() for c in text)


PREFIXES = {
    "cn-": "aws-cn",
    "eu-isoe-": "aws-iso-e",
    "eusc-": "aws-eusc",
    "us-gov-": "aws-us-gov",
    "us-iso-": "aws-iso",
    "us-isob-": "aws-iso-b",
    "us-isof-": "aws-iso-f",
}
"""The beginning of the regions' names in each partition but `aws`. A test compares them with botocore's data."""


def partition_of(region: str) -> str:
    """Return the partition of a region."""
    return next((partition for prefix, partition in PREFIXES.items() if region.startswith(prefix)), "aws")


MEDIA_TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
"""By the suffixes of parts' names. Storage takes no file with another suffix for a part."""
