"""The walk through a segment, and the answers that it rests on."""

from tests.house.mutants.mutant import Chosen, Schedules, mutant
from tests.house.mutants.nodes import assignment, attribute, call, choice, comparison, if_, named, negation, statement
from tests.house.mutants.operators import always, becomes, drop, keep, never, set_value

TABLE = Chosen(("tests/unit/aws/table/test_table.py",))
WALK = Chosen(("tests/unit/scan/walk/test_walk.py",))

SAFEGUARDS = (
    mutant("an unreported collection", "Walk.receive", set_value(assignment("_reported"), "True"), WALK),
    mutant(
        "the last key's collection", "Walk.receive", drop(comparison("_last", within=assignment("_reported"))), WALK
    ),
    mutant("no repeat after a start key", "Walk.receive", becomes(choice("_reported"), "None"), WALK),
    mutant("a page that goes back in its collection", "Walk.receive", never(call("is_before")), WALK),
    mutant(
        "guard against ignored skips",
        "Walk.receive",
        never(if_("ends")),
        WALK,
        Schedules(setting={"honours_skips": False, "table": "Mixed"}),
    ),
    mutant("items at the maximum itself", "Walk.receive", drop(negation("ends")), WALK),
    mutant("a skip that is refused", "Walk.refuse_skip", never(comparison("start_key")), WALK),
    mutant("a refusal of an honest key", "Walk.refuse_skip", always(comparison("start_key")), WALK),
    mutant("no skip without a sort key", "Walk.__init__", drop(attribute("can_skip")), WALK),
    mutant("no skip from what is not reported", "Walk.start_key", drop(attribute("_reported")), WALK),
    mutant("key reported before", "Cursor.from_json", never(call("get", "reported")), WALK, Schedules()),
    mutant("an answer cut off", "aws.faults:", drop(named("CutAnswerError")), TABLE),
    mutant(
        "an answer that does not say what it consumed",
        "aws.answer:consumed_units",
        becomes(statement("CutAnswerError"), "return 0.0"),
        TABLE,
    ),
    mutant("a page without its items", "aws.answer:all_items", never(if_(raises="CutAnswerError")), TABLE),
    mutant(
        "keys alone for an act",
        "TaskSource.feed",
        keep(choice("_to_key"), "body"),
        Chosen(("tests/unit/handlers/listing/test_take.py",)),
    ),
    mutant(
        "keys alone in a comparison",
        "lines.convert:key_converter",
        drop(negation("has_items")),
        Chosen(("tests/unit/handlers/listing/test_take.py",)),
    ),
)
