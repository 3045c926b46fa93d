"""Time to live: which items expire, and which never will."""

from collections.abc import Iterator, Mapping

from skipscan.inputs.quantities import about_percent
from skipscan.profile.circumstances import Circumstances
from skipscan.profile.figures import ITEMS, Figures
from skipscan.profile.form import Expiry
from skipscan.profile.section import NOTABLE, Section, attributes_named, percentage, told
from skipscan.report.card import card, card_table
from skipscan.sample.interval import Interval

NEVER_DELETED = {
    Expiry.MILLISECONDS: "is in milliseconds",
    Expiry.WRONG_TYPE: "is not a number",
    Expiry.OLD: "is more than five years in the past",
}


def expiry_section(figures: Figures, of: Circumstances) -> Section:
    """Return the share of all items in each state; a missing section if the table's setting could not be read."""
    if of.expiry is None:
        return Section()
    attribute, presence, states = of.expiry.attribute, None, dict[str, Interval]()
    says, rows, advice = "Off: no item expires.", [], dict[str, str]()
    if attribute is not None and figures.counts[ITEMS]:
        presence = figures.share(*(("ttl", state) for state in Expiry))
        states = {state.value: figures.share(("ttl", state)) for state in Expiry if figures.counts["ttl", state]}
        says = f"Attribute {attribute}, in {told(presence, percentage)} of the items."
        rows = [
            card_table(
                "Share of all items", ("expiry", "items"), [(name, told(states[name], percentage)) for name in states]
            )
        ]
        advice = dict(_advice(of.table, attribute, presence, states))
    elif attribute is not None:
        says = f"Attribute {attribute}. No item was read."
    return Section(
        {"attribute": attribute, "status": of.expiry.status, "presence": presence, "states": states},
        card("ttl", "Time to live", says, *rows, is_broad=True),
        advice=advice,
    )


def _advice(name: str, attribute: str, presence: Interval, states: Mapping[str, Interval]) -> Iterator[tuple[str, str]]:
    """Yield that DynamoDB deletes none of the items in the most frequent state of those that it never deletes."""
    shares = {state: states[state].estimate / presence.estimate for state in NEVER_DELETED if state in states}
    state = max(shares, key=lambda one: shares[one], default=None)
    if state is not None and shares[state] >= NOTABLE:
        because = f"{NEVER_DELETED[state]} in {about_percent(shares[state])} of the items that have it"
        way = "delete them with a job" if state == Expiry.OLD else "write seconds since 1970"
        if state == Expiry.MILLISECONDS:
            mended = f'--set "{attribute}={{{attribute}|ms_to_s}}"'
            way += f", and mend these: skipscan retrofit {name} {mended}"
        yield (
            "expiry_never",
            f"{attributes_named(attribute)} {because}: time to live deletes none of these. To have them deleted, "
            f"{way}.",
        )
