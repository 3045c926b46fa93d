"""Commit and adoption of batches, and the documents that are put once."""

from tests.house.mutants.mutant import Chosen, Defect, Histories, Mutant, Schedules, mutant
from tests.house.mutants.nodes import arithmetic, call, comparison, constant, handler, if_, returned, statement
from tests.house.mutants.operators import always, becomes, drop, drop_keyword, insert_before, instead, never, set_value

COMMIT = Chosen(("tests/unit/loop/results/test_results.py",))
ADOPTED = Chosen(("tests/simulation/states/test_adoption.py",))
COPIES = Histories("copy")
ITEMS = Histories("retrofit")
TOO_LONG = Chosen(
    (
        "tests/simulation/faults/test_schedules.py::test_random_schedules_whose_states_are_all_too_long_end_with_every_key_once[20]",
    )
)

SAFEGUARDS = (
    mutant("conditional write", "Bucket.put_once", drop_keyword("put_object", "IfNoneMatch"), COMMIT, Schedules()),
    mutant(
        "adoption",
        "Results.commit",
        becomes(call("put_once", "part"), "[self.storage.put_once(self.layout.part(worker, batch), body, metadata)]"),
        COMMIT,
        Schedules(),
    ),
    mutant("the part that was deleted", "Results.commit", never(if_("None")), COMMIT),
    mutant("the document that was deleted", "Results._put_once", never(if_(raises="RuntimeError")), COMMIT),
    mutant(
        "the reason of a refused look",
        "Bucket._asked_again",
        becomes(if_(raises="the same", within=handler("ClientError")), "raise refused from None"),
        Chosen(("tests/unit/aws/test_bucket.py",)),
    ),
    mutant("a put after another writer's", "Bucket.put_once", set_value(returned("False"), "True"), COMMIT),
    mutant("a put that meets another", "aws.bucket:_is_race", drop(comparison("409")), COMMIT),
    mutant("no end of races", "Bucket.put_once", becomes(arithmetic("RACES"), "1000"), COMMIT),
    mutant(
        "only a missing part is not committed",
        "Bucket.look",
        becomes(comparison("404"), "_status(error) >= 400"),
        COMMIT,
    ),
    mutant("the last part of a worker", "Results.reached", instead(call("max"), "min"), COMMIT),
    Mutant(
        "checkpoint before the part",
        (
            Defect("Results.commit", always(call("put_once", "expires="))),
            Defect(
                "Results.commit",
                insert_before(
                    returned(within=if_("put_once")), "self.storage.put_once(checkpoint, written, expires=True)"
                ),
            ),
        ),
        (
            COMMIT,
            Schedules(),
        ),
    ),
    mutant("checkpoints that are there before the part", "Results.commit", never(if_("get")), COMMIT),
    mutant("checkpoints that are what was committed", "Results.checkpoint", never(if_("checksum")), COMMIT),
    mutant("checkpoints that expire", "Results.commit", drop_keyword("put_once", "expires"), COMMIT),
    mutant(
        "documents that are put once",
        "Results._put_once",
        becomes(call("put_once"), "not self.storage.put(name, indented(document))"),
        COMMIT,
        Schedules(setting={"plan_calls": 2}),
    ),
    mutant("an existing plan", "Results.plan", becomes(call("_get"), "None"), COMMIT, Schedules()),
    mutant("next batch number", "loop.turn:_counted", becomes(constant("1"), "2"), Schedules()),
    mutant(
        "continue from the previous batch if the state is too long",
        "loop.turn:run_turn",
        becomes(call("of"), "results.reached(turn.worker)"),
        TOO_LONG,
    ),
    mutant(
        "look at what is stored in a first turn",
        "loop.turn:run_turn",
        becomes(call("reached"), "None"),
        ITEMS,
        COPIES,
        Schedules(),
    ),
    mutant(
        "adoption before a batch",
        "loop.turn:run_turn",
        becomes(call("committed"), "None"),
        ADOPTED,
        ITEMS,
        Histories("delete"),
        Histories("put"),
        Histories("overwrite"),
        Histories("invoke"),
    ),
    mutant(
        "classes of errors before threads need them",
        "aws.clients:make",
        drop(statement("exceptions")),
        Chosen(("tests/unit/aws/clients/test_clients.py",)),
    ),
)
