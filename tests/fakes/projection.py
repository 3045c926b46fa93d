"""ProjectionExpression as the scanner writes it: top-level attributes, each behind a #placeholder."""

import re
from collections.abc import Mapping

from tests.fakes.error import validation_error

_PLACEHOLDER = re.compile(r"#[0-9A-Za-z_]+")


def projected_names(expression: str | None, names: Mapping[str, str] | None) -> tuple[str, ...] | None:
    """The attribute names in an expression, or None without one; raises what the service raises.

    A bare name is NotImplementedError: it fails on the service when it is one of 573 reserved words, which are not
    listed here, so nothing that is to work on any table may write one.
    """
    if expression is None:
        if names is not None:
            raise validation_error("ExpressionAttributeNames can only be specified when using expressions")
        return None
    if names is not None and not names:
        raise validation_error("ExpressionAttributeNames must not be empty")
    names = names or {}
    for placeholder in names:
        if not _PLACEHOLDER.fullmatch(placeholder):
            raise validation_error(f'ExpressionAttributeNames contains invalid key: Syntax error; key: "{placeholder}"')
    paths = [path.strip() for path in expression.split(",")]
    for path in paths:
        if not path:
            raise validation_error("Invalid ProjectionExpression: Syntax error")
        if not _PLACEHOLDER.fullmatch(path):
            raise NotImplementedError(f"The fake reads #placeholders only, not {path}")
        if path not in names:
            raise validation_error(
                "Invalid ProjectionExpression: An expression attribute name used in the document path is not "
                f"defined; attribute name: {path}"
            )
    if unused := set(names) - set(paths):
        raise validation_error(
            f"Value provided in ExpressionAttributeNames unused in expressions: keys: {{{', '.join(sorted(unused))}}}"
        )
    projected = tuple(names[path] for path in paths)
    if len(set(projected)) < len(projected):
        raise validation_error(
            "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one "
            "of these paths"
        )
    return projected
