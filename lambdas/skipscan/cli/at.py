"""Where a command works: an environment, a region, an AWS profile, an endpoint; from its options."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from skipscan.inputs import field

if TYPE_CHECKING:
    import boto3

    from skipscan.library.deployed import Deployed

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class At:
    """`environment`, if one is given or needed. `region`, `profile`: of AWS; `None` for its own configuration.

    `endpoint_url`: of DynamoDB; `None` for AWS's.
    """

    environment: str | None
    region: str | None
    profile: str | None
    endpoint_url: str | None

    @property
    def env(self) -> str:
        """Return the name of the environment; end the command if there is none."""
        from skipscan.cli.work_options import missing  # noqa: PLC0415 (its options need this module)

        if self.environment is None:
            raise click.UsageError(missing(click.get_current_context()))
        return self.environment

    def session(self) -> "boto3.Session":
        """Return a new session."""
        import boto3  # noqa: PLC0415 (takes longer than `--help` may)

        return boto3.Session(region_name=self.region, profile_name=self.profile)

    def deployed(self, table: str) -> "Deployed":
        """Return the environment with a table; end the command if no environment is given."""
        from skipscan.library.deployed import Deployed  # noqa: PLC0415 (as above)

        return Deployed(self.env, field.table("table", table), self.session())


def placed(command: Command) -> Command:
    """Pass the options --env, --region, --profile and --endpoint-url to the command as `at`, those that it has."""

    @wraps(command)
    def place(**options: Any) -> Any:
        values = (options.pop(name, None) for name in ("env", "region", "aws_profile", "endpoint_url"))
        return command(at=At(*values), **options)

    return cast("Command", place)
