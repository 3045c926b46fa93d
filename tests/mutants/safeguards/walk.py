"""The walk through a segment, and the answers that it rests on."""

from tests.mutants.mutant import Chosen, Schedules, mutant

TABLE = Chosen(("tests/aws/test_table.py",))
WALK = Chosen(("tests/unit/test_walk.py",))

SAFEGUARDS = (
    mutant(
        "an unreported collection",
        "self._reported = seen is not None and ",
        "self._reported = True or ",
        WALK,
    ),
    mutant(
        "the last key's collection",
        "seen is not None and partition_key_of(self._last) == seen",
        "seen is not None",
        WALK,
    ),
    mutant(
        "no repeat after a start key",
        "seen = partition_key_of(self._last)\n",
        "seen = None\n",
        WALK,
    ),
    mutant(
        "guard against ignored skips",
        "if partition_key_of(first) == seen and not self._source.ends(first):",
        "if False:",
        WALK,
        Schedules(setting={"honours_skips": False, "table": "Mixed"}),
    ),
    mutant(
        "items at the maximum itself",
        " and not self._source.ends(first)",
        "",
        WALK,
    ),
    mutant(
        "a skip that is refused",
        "was_made_up = self.start_key != self._last",
        "was_made_up = False",
        WALK,
    ),
    mutant(
        "a refusal of an honest key",
        "was_made_up = self.start_key != self._last",
        "was_made_up = True",
        WALK,
    ),
    mutant(
        "no skip without a sort key",
        "cursor.skipping and source.can_skip",
        "cursor.skipping",
        WALK,
    ),
    mutant(
        "no skip from what is not reported",
        "self._last is not None and self._reported and self._skipping:",
        "self._last is not None and self._skipping:",
        WALK,
    ),
    mutant(
        "key reported before",
        'document.get("reported", False)',
        "False",
        WALK,
        Schedules(),
    ),
    mutant(
        "an answer cut off",
        "    CutAnswerError,\n    HTTPClientError",
        "    HTTPClientError",
        TABLE,
    ),
    mutant(
        "an answer that does not say what it consumed",
        ('except KeyError:\n        raise CutAnswerError("DynamoDB\'s answer was cut off") from None\n'),
        ("except KeyError:\n        return 0.0\n"),
        TABLE,
    ),
    mutant(
        "a page without its items",
        'if not isinstance(answer.get("Items"), list):',
        "if False:",
        TABLE,
    ),
    mutant(
        "keys alone for an act",
        "key = line if self._to_key is None else self._to_key(line)",
        "key = line",
        Chosen(("tests/handlers/test_take.py",)),
    ),
    mutant(
        "keys alone in a comparison",
        'if form == manifest["format"] and not has_items(manifest):',
        'if form == manifest["format"]:',
        Chosen(("tests/handlers/test_take.py",)),
    ),
)
