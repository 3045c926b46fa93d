"""Results in a folder: commits that last, whole files, one process at a time. And keys in csv."""

from tests.house.mutants.mutant import Chosen, Defect, Mutant, mutant
from tests.house.mutants.nodes import (
    assignment,
    boolean,
    call,
    choice,
    constant,
    handler,
    if_,
    named,
    negation,
    statement,
)
from tests.house.mutants.operators import always, becomes, drop, keep, never

CSV = Chosen(("tests/unit/lines/test_csv.py",))
SLICES = Chosen(("tests/unit/act/test_slices.py",))
CSV_PARTS = Chosen(("tests/unit/act/line_reader/test_csv_parts.py",))
FILES = Chosen(("tests/unit/folder/storage/test_storage.py",))
LISTING = Chosen(("tests/unit/library/test_into_folder.py",))

SAFEGUARDS = (
    mutant(
        "a file that is whole before it has its name", "folder.files:create", becomes(named("body"), "body[:1]"), FILES
    ),
    mutant("content that lasts", "folder.files:write_aside", drop(statement("fsync")), FILES),
    mutant("a name that lasts", "folder.files:create", drop(statement("sync_folder")), FILES),
    mutant(
        "the first file of a name",
        "folder.files:create",
        becomes(constant("False", within=handler("FileExistsError")), "True"),
        FILES,
    ),
    mutant("the first one without hard links", "folder.files:create", never(if_("exists")), FILES),
    mutant("metadata before its part", "folder/Folder.put_once", drop(if_("exists")), FILES),
    mutant("names that stay in the folder", "folder/Folder._file", never(if_(raises="IncompleteRunError")), FILES),
    mutant(
        "one process at a time", "folder.files:locked", becomes(negation("_lock"), "not _lock(file) and False"), LISTING
    ),
    mutant("the options it was begun with", "Listing._check_same", never(if_("get")), LISTING),
    mutant("a folder of something else", "Listing._check_empty", never(if_(raises="InputError")), LISTING),
    Mutant(
        "a batch that Ctrl-C ends is committed",
        (
            Defect("Listing.stoppable.stop", becomes(assignment("is_stopped"), "raise KeyboardInterrupt")),
            Defect("Listing.stoppable.stop", drop(statement("stop"))),
        ),
        (LISTING,),
    ),
    mutant("text that is no formula", "lines.csv:_safe", keep(choice("match"), "orelse"), CSV),
    mutant("a record over several lines", "lines.line_format:record_end", becomes(boolean("count"), "False"), CSV),
    mutant(
        "one header in a file of many parts",
        "lines.convert:convert",
        becomes(call("_after_header"), "body"),
        CSV,
    ),
    mutant("a part of csv cut nowhere", "act.parts:cut", always(if_("quote")), SLICES),
    mutant(
        "the header of a part of csv, which is no key", "LineReader.__init__", drop(negation("has_header")), CSV_PARTS
    ),
    mutant(
        "a record of csv to its end",
        "LineReader.lines",
        becomes(call("record_end"), "record_end(self._buffer, taken, None)"),
        CSV_PARTS,
    ),
)
