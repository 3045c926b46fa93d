"""The options of `skipscan deploy` as parameters of the packaged template."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skipscan.cli.stack.place import StackPlace
from skipscan.errors import InputError
from skipscan.inputs.field import without_nulls
from skipscan.inputs.names import TABLE_ARN, TABLE_NAME, topic_arn
from skipscan.inputs.schedule_expression import EXPRESSION, TIMEZONE, check_expression, is_timezone
from skipscan.listing.execution_input import parse

TABLES = ("Table", "Table2", "Table3", "Table4", "Table5")
NO_INPUT = "{}"
SETTINGS = ("RolePath", "SubnetIds", "SecurityGroupIds")
"""What a version of a function keeps. The template writes these into the versions' descriptions."""
MOST_CHARACTERS = 256
"""https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html, "Description"."""
MORE = "a deployment with the CDK has no such limit"
ADD_OR_ALL = "--table names all tables that runs may read, --add-table adds one to those that are deployed"


@dataclass(frozen=True)
class DeployOptions:
    """The options as given. `None` and empty: what is deployed, or the template's default.

    `added_tables`: beside those that are deployed. `schedule`: an empty one removes the schedule.
    """

    tables: tuple[str, ...] = ()
    added_tables: tuple[str, ...] = ()
    schedule: str | None = None
    timezone: str | None = None
    schedule_input: str | None = None
    notify: str | None = None
    notify_if: str | None = None
    alarm_topic: str | None = None
    permissions_boundary: str | None = None
    role_path: str | None = None
    subnets: tuple[str, ...] = ()
    security_groups: tuple[str, ...] = ()

    def parameters(
        self,
        place: StackPlace,
        declared: Mapping[str, Any],
        deployed: Mapping[str, str] | None,
        code: Mapping[str, str],
    ) -> list[dict[str, Any]]:
        """Return the parameters for a change set; raise `InputError` for an invalid option.

        `declared`: the template's parameters. `deployed`: the parameters of the existing stack; `None` if there is no
        stack. `code`: the location of the zip.
        """
        chosen = {**code, "EnvironmentName": place.environment, **self._chosen(place, deployed)}
        for name, value in chosen.items():
            check_pattern(declared, name, value)
        defaults = {name: declared[name].get("Default", "") for name in SETTINGS}
        _check_settings({**defaults, **(deployed or {}), **chosen})
        kept = (deployed or {}).keys() & declared.keys() - chosen.keys()
        return [
            *({"ParameterKey": name, "ParameterValue": value} for name, value in sorted(chosen.items())),
            *({"ParameterKey": name, "UsePreviousValue": True} for name in sorted(kept)),
        ]

    def names(self, place: StackPlace) -> list[str]:
        """Return the names of the given tables; raise `InputError` for tables that the template cannot take."""
        return _names((*self.tables, *self.added_tables), place)

    def _chosen(self, place: StackPlace, deployed: Mapping[str, str] | None) -> dict[str, str]:
        tables = self.names(place)
        if self.added_tables:
            if deployed is None:
                raise InputError("--add-table", rule=f"adds to {place.stack}, which is not deployed", remedy=ADD_OR_ALL)
            tables = _names([*dict.fromkeys([*tables_in(deployed), *tables])], place)
        if not tables and deployed is None:
            raise InputError(
                "--table", rule="is missing", remedy="give up to five tables that runs may read, such as --table Orders"
            )
        parameters = dict(zip(TABLES, (*tables, *("" for _ in TABLES)), strict=False)) if tables else {}
        if (first := parameters.get("Table")) or self.schedule_input is not None:
            table = first or (deployed or {}).get("Table", "")
            before = (deployed or {}).get("ScheduleInput", NO_INPUT)
            parameters["ScheduleInput"] = _input(self.schedule_input, before, table)
        if self.schedule:
            _check_schedule(self.schedule)
        if self.timezone and not is_timezone(self.timezone):
            raise InputError("--timezone", self.timezone, f"it must be {TIMEZONE}", "correct it")
        _check_topic("--notify", self.notify, place)
        _check_topic("--alarm-topic", self.alarm_topic, place)
        others = {
            "Schedule": self.schedule,
            "ScheduleTimezone": self.timezone,
            **self._notices(),
            "NotifyOnlyIfChanged": self.notify_if and NOTIFY_IF[self.notify_if],
            "AlarmTopic": self.alarm_topic,
            "PermissionsBoundary": self.permissions_boundary,
            "RolePath": self.role_path,
            "SubnetIds": ",".join(self.subnets) or None,
            "SecurityGroupIds": ",".join(self.security_groups) or None,
        }
        later = {**(deployed or {}), **without_nulls(others)}
        has_notice = later.get("NotifyEmail") or later.get("NotifyTopic", "none") != "none"
        for option, value, needed, is_there in (
            ("--timezone", self.timezone, "schedule", later.get("Schedule")),
            ("--schedule-input", self.schedule_input, "schedule", later.get("Schedule")),
            ("--notify-if", self.notify_if, "notify", has_notice),
        ):
            if value is not None and not is_there:
                raise InputError(option, value, f"there is no --{needed}", f"give --{needed}, or leave it out")
        if bool(self.subnets) != bool(self.security_groups):
            raise InputError("a network", rule="needs both", remedy="give --subnet and --security-group")
        return {**parameters, **without_nulls(others)}

    def _notices(self) -> dict[str, str]:
        """Return the parameters for `notify`: an e-mail address, or the ARN of a topic; none if it is not set."""
        if self.notify is None:
            return {}
        is_email = "@" in self.notify
        if not is_email and self.notify != "none" and not self.notify.startswith("arn:"):
            rule = "it must be an e-mail address, the ARN of an SNS topic, or none"
            raise InputError("--notify", self.notify, rule, "correct it")
        return {"NotifyEmail": self.notify if is_email else "", "NotifyTopic": "none" if is_email else self.notify}


def tables_in(parameters: Mapping[str, str]) -> list[str]:
    """Return the tables of a deployment by its parameters, the one of the schedule first."""
    return [parameters[name] for name in TABLES if parameters.get(name)]


def moved(before: Mapping[str, str] | None, parameters: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return in words what a change set changes of tables, schedule and other settings. `before`: the deployed ones."""
    earlier = before or {}
    later = {**earlier, **{one["ParameterKey"]: one["ParameterValue"] for one in parameters if "ParameterValue" in one}}
    lines = []
    if (old := tables_in(earlier)) != (new := tables_in(later)):
        lines.append(f"tables: {', '.join(old) or 'none'} -> {', '.join(new)}")
        if removed := ", ".join(table for table in old if table not in new):
            lines.append(f"runs of these tables are denied at once: {removed}")
    scheduled = ("Table", *SCHEDULED)
    if any(earlier.get(name) != later.get(name) for name in scheduled) and (
        earlier.get("Schedule") or later.get("Schedule")
    ):
        lines.append(f"schedule: {_schedule_in(earlier)} -> {_schedule_in(later)}")
    for name, option in OPTIONS.items():
        if name not in (*TABLES, *SCHEDULED, "EnvironmentName") and name in later:
            was, will_be = earlier.get(name) or "none", later[name] or "none"
            if was != will_be:
                lines.append(f"{option} ({name}): {was} -> {will_be}")
    return lines


def _schedule_in(parameters: Mapping[str, str]) -> str:
    """Return a deployment's schedule in words, with the names of the fields of its input, and the values of bounds."""
    if not parameters.get("Schedule"):
        return "none"
    document = json.loads(parameters.get("ScheduleInput") or NO_INPUT)
    # Other values may be keys of the table's items, such as the ends of a range.
    fields = [f"{name} {value}" if name.startswith("max_") else name for name, value in document.items()]
    fields = [field for field in fields if field not in ("table", "overlap")]
    zone = parameters.get("ScheduleTimezone") or "UTC"
    return f"{parameters['Schedule']} {zone} of {parameters['Table']}, input: {', '.join(fields) or 'the defaults'}"


NOTIFY_IF = {"finished": "no", "changed": "yes"}

SCHEDULED = ("Schedule", "ScheduleTimezone", "ScheduleInput")

OPTIONS = {
    **dict.fromkeys(TABLES, "--table"),
    "EnvironmentName": "--env",
    "Schedule": "--schedule",
    "ScheduleTimezone": "--timezone",
    "ScheduleInput": "--schedule-input",
    **dict.fromkeys(("NotifyEmail", "NotifyTopic"), "--notify"),
    "NotifyOnlyIfChanged": "--notify-if",
    "AlarmTopic": "--alarm-topic",
    "PermissionsBoundary": "--permissions-boundary",
    "RolePath": "--role-path",
    "SubnetIds": "--subnet",
    "SecurityGroupIds": "--security-group",
}
"""The option that sets each parameter."""


def check_pattern(declared: Mapping[str, Any], name: str, value: str) -> None:
    """Raise `InputError` for a value that a parameter of the template does not take."""
    pattern = declared[name].get("AllowedPattern")
    if pattern and not re.fullmatch(pattern, value):
        raise InputError(OPTIONS[name], value, f"it {declared[name]['ConstraintDescription']}", "correct it")


def _names(tables: Sequence[str], place: StackPlace) -> list[str]:
    """Return the bare names of tables of this account and region."""
    if len(tables) > len(TABLES):
        raise InputError(
            f"{len(tables)} tables", rule=f"are given; `skipscan deploy` allows at most {len(TABLES)}", remedy=MORE
        )
    names = []
    for table in tables:
        arn = TABLE_ARN.fullmatch(table)
        if arn and (arn["account"], arn["region"]) != (place.account, place.region):
            raise InputError(
                "--table", table, "it is in another account or region", f"give a table of this environment; {MORE}"
            )
        name = arn["name"] if arn else table
        if not TABLE_NAME.fullmatch(name):
            way = "repeat --table for each table" if "," in name else "correct it"
            raise InputError("--table", table, "a name has 3 to 255 of a-z, A-Z, 0-9, _, . and -", way)
        if name in names:
            raise InputError(f"--table {name}", rule="is given twice", remedy="give each table once")
        names.append(name)
    return names


def _check_settings(parameters: Mapping[str, str]) -> None:
    """Raise `InputError` for settings that do not fit into the description of a version, which must name them all."""
    text = "".join(re.sub(",?(subnet|sg)-", " ", parameters[name]) for name in SETTINGS)
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"{', '.join(SETTINGS[:-1])} and {SETTINGS[-1]}",
            rule=f"have {len(text)} characters together, without the prefixes of ids; they may have at most "
            f"{MOST_CHARACTERS}",
            remedy=f"use a shorter path or fewer subnets; {MORE}",
        )


def _check_schedule(expression: str) -> None:
    if not re.fullmatch(EXPRESSION, expression) or expression.startswith("at("):
        rule = 'it must be like "cron(0 3 * * ? *)", which has six fields, or "rate(1 day)"'
        raise InputError("--schedule", expression, rule, "correct it")
    if impossible := check_expression(expression):
        raise InputError("--schedule", expression, impossible, "correct it")


def _check_topic(option: str, topic: str | None, place: StackPlace) -> None:
    """Raise `InputError` for the ARN of a topic that a state machine or an alarm of this region cannot publish to."""
    if topic and topic.startswith("arn:") and not re.fullmatch(topic_arn(place.region), topic):
        rule = f"it must be the ARN of an SNS topic in {place.region}, not FIFO"
        raise InputError(option, topic, rule, "use a topic there")


def _input(option: str | None, before: str, table: str) -> str:
    """Return the input of the scheduled runs of the first table; raise `InputError` for an input that a run refuses."""
    try:
        document = json.loads(before if option is None else option)
    except ValueError as error:
        rule = f'it must be JSON such as {{"segments": 8}}; {error}'
        raise InputError("--schedule-input", option, rule, "correct it") from None
    if document == {}:
        return NO_INPUT
    if not isinstance(document, dict):
        raise InputError("--schedule-input", option, "it must be a JSON object", "correct it")
    if option is not None and document.get("table", table) != table:
        raise InputError(
            "--schedule-input",
            rule=f"has another table; the schedule lists the first --table, {table}",
            remedy="correct it",
        )
    document = {"overlap": "skip", **document, "table": table}
    parse(document)
    return json.dumps(document)
