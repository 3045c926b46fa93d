"""What jobs may write to a table: nothing unless cdk.json allows it for the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from skipscan.act.input import ACTIONS
from skipscan.inputs.names import TABLE_NAME, partition_of
from skipscan.items.template import ItemTemplate
from skipscan.retrofit.input import parse_retrofit

from .section import Section, flag_or, if_given, inside, mistakes

STREAM_ARN = r"arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:[0-9]{12}:table/[A-Za-z0-9_.-]{3,255}/stream/[0-9T:.-]+"


@dataclass(frozen=True)
class Followed:
    """The table's stream, and what its follower does.

    `document`: the template of the markers of its collections, or the attributes set on its items, in the form of a
    retrofit's input. `to`: the target of a copy.
    """

    stream: str
    document: Mapping[str, object]
    to: str = ""


@dataclass(frozen=True, kw_only=True)
class Writing:
    """The jobs allowed for one table: acts with the functions and queues that may receive keys, retrofits, keepers.

    `copy`: the target of its copy. The target is written to; this table is only read. `label`: what resources for it
    are called, if its name is only known at deployment.
    """

    table: str
    act: bool = False
    targets: tuple[str, ...] = ()
    retrofit: bool = False
    keeper: Followed | None = None
    attribute_keeper: Followed | None = None
    copy: Followed | None = None
    label: str = ""

    @property
    def name(self) -> str:
        """Return the table's name in the names of resources."""
        return self.label or self.table.rpartition("/")[2]

    @property
    def followers(self) -> Mapping[str, str]:
        """Return the readers of the table's streams by their field, with the stream of each."""
        named = {"keeper": self.keeper, "attribute_keeper": self.attribute_keeper, "copy": self.copy}
        return {name: follower.stream for name, follower in named.items() if follower}

    @classmethod
    def read(cls, section: Section, table: str, region: str) -> Writing:
        fields = {
            "act": flag_or(False),
            "targets": if_given(partial(_targets, region=region), ()),
            "retrofit": flag_or(False),
            "keeper": if_given(inside(partial(_kept, table=table))),
            "attribute_keeper": if_given(inside(partial(_kept_attribute, table=table))),
            "copy": if_given(inside(partial(_copied, table=table))),
        }
        return cls(table=table, **section.read_all(fields))


def _targets(section: Section, field: str, region: str) -> tuple[str, ...]:
    targets = section.items(field, "it must be a list of functions and queues by ARN: correct it or leave it out")
    rule = "it must be the ARN of a Lambda function or an SQS queue: correct it or remove it"
    pattern = "|".join(kind.targets.pattern for kind in ACTIONS.values() if kind.targets)
    partition = partition_of(region)
    for position in targets.values:
        _, its_partition, _, its_region, *_ = targets.text(position, pattern, rule).split(":")
        if (its_partition, its_region) != (partition, region):
            raise targets.mistake(
                position,
                f"acts send keys to functions and queues of their own region, {region} (arn:{partition}:): correct it",
            )
    return tuple(map(str, targets.values.values()))


def _kept(section: Section, table: str) -> Followed:
    section.only("stream", "marker")
    stream = _stream(section, table)
    marker = section.section("marker").values
    with mistakes():
        ItemTemplate.parse(marker, section.where("marker"))
    return Followed(stream, marker)


def _kept_attribute(section: Section, table: str) -> Followed:
    section.only("stream", "set", "remove", "separator")
    stream = _stream(section, table)
    document = {name: value for name, value in section.values.items() if name != "stream"}
    with mistakes(section.where("set" if "remove" not in document else "remove")):
        parse_retrofit({"table": table, **document})
    return Followed(stream, document)


def _copied(section: Section, table: str) -> Followed:
    section.only("to", "stream", "set", "separator")
    stream = _stream(section, table)
    to = section.text("to", TABLE_NAME.pattern, "it must be a table's name, of this account and region: correct it")
    if to == table.rpartition("/")[2]:
        raise section.mistake("to", "it is the table itself: use another table")
    document = {name: section.values[name] for name in ("set", "separator") if name in section.values}
    if "set" in document:
        with mistakes(section.where("set")):
            parse_retrofit({"table": table, **document})
    elif document:
        raise section.mistake("separator", "it applies only with set: leave it out")
    return Followed(stream, document, to)


def _stream(section: Section, table: str) -> str:
    stream = section.text(
        "stream",
        STREAM_ARN,
        "it must be the ARN of the table's stream: copy LatestStreamArn of "
        f"`aws dynamodb describe-table --table-name {table}`, after enabling a stream with KEYS_ONLY or more",
    )
    if stream.partition(":table/")[2].partition("/")[0] != table.rpartition("/")[2]:
        raise section.mistake("stream", f"it is the stream of a table other than {table}: correct it")
    return stream
