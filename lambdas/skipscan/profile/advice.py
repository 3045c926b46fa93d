"""The advice of a profile: at most seven sentences, each from one rule and with its figure, the most urgent first."""

from collections.abc import Callable, Iterator

from skipscan.inputs.quantities import counted, enumerated, money, size
from skipscan.profile.form import NUMBER, SECONDS, Expiry
from skipscan.profile.table_profile import Advice, TableProfile

MOST_SENTENCES = 7
NEVER_DELETED = (Expiry.MILLISECONDS, Expiry.WRONG_TYPE, Expiry.OLD)
EXPIRY_WORDS = ("ttl", "expir")
NOTABLE = 0.01
"""A share below which nothing is worth a sentence."""

NAMES_PART, LARGE_PART, TOP_PART, LOCAL_PART, NUMBERS_PART, ROUNDING_PART = 0.15, 0.05, 0.5, 0.5, 0.9, 0.6
LEAST_DOLLARS = 1.0
SEVERAL = 2
"""Items of a collection from which on they can be combined."""


def advise(profile: TableProfile) -> Iterator[Advice]:
    """Return the sentences whose rules apply."""
    found = ((rule.__name__.strip("_"), sentence) for rule in RULES if (sentence := rule(profile)))
    for number, (rule, sentence) in enumerate(found):
        if number < MOST_SENTENCES:
            yield Advice(rule, sentence)


def _expiry_never(profile: TableProfile) -> str | None:
    live = profile.time_to_live
    if live is None or live.presence is None or not live.presence.estimate:
        return None
    shares = {
        state: live.states[state].estimate / live.presence.estimate for state in NEVER_DELETED if state in live.states
    }
    state = max(shares, key=lambda one: shares[one], default=None)
    if state is None or shares[state] < NOTABLE:
        return None
    part = _percent(shares[state])
    name = _attributes(str(live.attribute))
    because = {
        Expiry.MILLISECONDS: f"{name} is in milliseconds in {part} of the items that have it",
        Expiry.WRONG_TYPE: f"{name} is not a number in {part} of the items that have it",
        Expiry.OLD: f"{name} is more than five years in the past in {part} of the items that have it",
    }[state]
    way = "write seconds since 1970" if state != Expiry.OLD else "delete them with a job"
    if state == Expiry.MILLISECONDS:
        mended = f'--set "{live.attribute}={{{live.attribute}|ms_to_s}}"'
        way += f", and mend these: skipscan retrofit {profile.table} {mended}"
    return f"{because}: time to live deletes none of these. To have them deleted, {way}."


def _expiry_off(profile: TableProfile) -> str | None:
    live = profile.time_to_live
    if live is None or live.attribute is not None:
        return None
    named = [
        one.name
        for one in profile.attributes
        if any(word in one.name.lower() for word in EXPIRY_WORDS) and one.forms.get(SECONDS, 0) > 1 - NOTABLE
    ]
    if not named:
        return None
    look = "look" if len(named) > 1 else "looks"
    return f"{_attributes(*named)} {look} like an expiry time in seconds, but time to live is off: nothing expires."


def _local_index_bound(profile: TableProfile) -> str | None:
    collections = profile.collections
    part = collections.local_index_part if collections else None
    if collections is None or part is None or part < LOCAL_PART:
        return None
    largest, seen = size(collections.largest_bytes), "" if profile.reading.is_exact else " seen"
    return (
        f"The largest item collection{seen} has {largest}, {_percent(part)} of the 10 GB that a local index allows: "
        "DynamoDB refuses writes that exceed it."
    )


def _same_index(profile: TableProfile) -> str | None:
    for index in profile.indexes:
        if index.same_keys:
            names = enumerated(sorted([index.name, *index.same_keys]))
            is_equal = bool(set(index.same_keys) & set(index.same_content))
            said = "keys and the same content: one of them is enough" if is_equal else "keys: one of them may be enough"
            cost = f"{index.name} costs {money(index.dollars_a_month)} a month"
            if index.write_units is not None:
                cost += f", and {index.write_units:.1f} write units for a write of an average item"
            return f"Indexes {names} have the same {said}. {cost}."
    return None


def _empty_index(profile: TableProfile) -> str | None:
    empty = [index.name for index in profile.indexes if index.items.estimate == 0]
    if not empty or not profile.reading.items:
        return None
    indexes = "index" if len(empty) == 1 else "indexes"
    return f"No item read is in {indexes} {enumerated(empty)}: an index without items serves no query."


def _mixed_types(profile: TableProfile) -> str | None:
    mixed = [
        one for one in profile.attributes if sorted(one.types.values())[-2:-1] > [NOTABLE] and set(one.types) - {"NULL"}
    ]
    if not mixed:
        return None
    one = mixed[0]
    types = enumerated([f"{kind} ({_percent(share)})" for kind, share in sorted(one.types.items())])
    more = f" The same is true of {counted(len(mixed) - 1, 'more attribute')}." if len(mixed) > 1 else ""
    has = f"{_attributes(one.name)} has values of several types"
    return f"{has}: {types}. Conditions and indexes see only one of them.{more}"


def _uneven(profile: TableProfile) -> str | None:
    top = profile.collections.top["1%"] if profile.collections else None
    if top is None or top.low < TOP_PART:
        return None
    return (
        f"The largest hundredth of the item collections holds {_percent(top.estimate)} of the bytes: reads and writes "
        "of these share few partitions, of 3,000 read and 1,000 write units a second each."
    )


def _large_items(profile: TableProfile) -> str | None:
    share = profile.items.above["64"] if profile.items else None
    if share is None or share.estimate < LARGE_PART:
        return None
    return (
        f"{_percent(share.estimate)} of the items are larger than 64 KB. Each write is billed by the size of "
        "the whole item: keep large values in S3, or in items of their own."
    )


def _long_names(profile: TableProfile) -> str | None:
    part = sum(one.name_share for one in profile.attributes)
    dollars = part * profile.money.storage.estimate
    if part < NAMES_PART or dollars < LEAST_DOLLARS:
        return None
    longest = max(profile.attributes, key=lambda one: one.name_share)
    return (
        f"{_percent(part)} of the bytes are attribute names, {money(dollars)} of storage a month; {longest.name} alone "
        f"is {_percent(longest.name_share)}. Shorter names would save these bytes: skipscan retrofit renames "
        "attributes that are no keys."
    )


def _numbers_as_text(profile: TableProfile) -> str | None:
    # The order and the form of a partition key do not matter, and its values may be shards.
    partition_keys = {*profile.partition_key, *(name for index in profile.indexes for name in index.partition_key)}
    texts = [one for one in profile.attributes if one.forms.get(NUMBER, 0) >= NUMBERS_PART]
    worth = [one.name for one in texts if one.bytes_share.estimate >= NOTABLE and one.name not in partition_keys][:3]
    if not worth:
        return None
    hold = "hold" if len(worth) > 1 else "holds"
    return (
        f"{_attributes(*worth)} {hold} numbers as text. Text sorts 10 before 9, and takes about twice the bytes of a "
        "number."
    )


def _other_class(profile: TableProfile) -> str | None:
    bill = profile.money
    saved = bill.storage.estimate - bill.storage_other_class.estimate
    if bill.table_class != "Standard" or saved < LEAST_DOLLARS:
        return None
    stored = (
        f"Standard-IA would store the table for {money(bill.storage_other_class.estimate)} a month instead of "
        f"{money(bill.storage.estimate)}. It is cheaper if reads and writes cost less than "
        f"{money(bill.infrequent_access_pays_below)} a month"
    )
    if bill.capacity is None:
        return f"{stored}."
    if bill.capacity > bill.infrequent_access_pays_below:
        return None
    return f"{stored}: the provisioned capacity costs {money(bill.capacity)}."


def _rounding(profile: TableProfile) -> str | None:
    items, collections = profile.items, profile.collections
    if items is None or items.write_rounding < ROUNDING_PART:
        return None
    if collections is None or collections.items["50"].estimate < SEVERAL:
        return None  # nothing to combine
    return (
        f"{_percent(items.write_rounding)} of what writes cost pays for rounding up to 1 KB: an average item has "
        f"{size(items.mean_bytes.estimate)}: combine items that are written together."
    )


def _attributes(*names: str) -> str:
    """Return the beginning of a sentence about attributes."""
    return f"{'Attribute' if len(names) == 1 else 'Attributes'} {enumerated(names)}"


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %" if part >= 0.1 or not part else f"{100 * part:.1g} %"


RULES: tuple[Callable[[TableProfile], str | None], ...] = (
    _expiry_never,
    _expiry_off,
    _local_index_bound,
    _mixed_types,
    _uneven,
    _same_index,
    _empty_index,
    _large_items,
    _long_names,
    _other_class,
    _numbers_as_text,
    _rounding,
)
"""The rules of advice, the most urgent first: defects, coming problems, costs."""
