"""Results in a folder: commits that last, whole files, one process at a time. And keys in csv."""

from tests.mutants.mutant import Chosen, mutant

CSV = Chosen(("tests/unit/test_csv.py",))
CSV_PARTS = Chosen(("tests/unit/act/test_csv_parts.py",))
FILES = Chosen(("tests/folder/test_storage.py",))
LISTING = Chosen(("tests/cli/test_into_folder.py",))

SAFEGUARDS = (
    mutant(
        "a file that is whole before it has its name",
        "    aside = write_aside(scratch, body)\n    try:\n",
        "    aside = write_aside(scratch, body[:1])\n    try:\n",
        FILES,
    ),
    mutant("content that lasts", "            os.fsync(file.fileno())\n", "", FILES),
    mutant(
        "a name that lasts",
        "        aside.unlink(missing_ok=True)\n    sync_folder(path.parent)\n",
        "        aside.unlink(missing_ok=True)\n",
        FILES,
    ),
    mutant(
        "the first file of a name",
        "    except FileExistsError:\n        return False\n    except OSError as error:\n",
        "    except FileExistsError:\n        return True\n    except OSError as error:\n",
        FILES,
    ),
    mutant(
        "the first one without hard links",
        "        if path.exists():  # no other",
        "        if False:  # no other",
        FILES,
    ),
    mutant(
        "metadata before its part",
        "            if path.exists():\n                return False\n            files.make_folder(path.parent)\n",
        "            files.make_folder(path.parent)\n",
        FILES,
    ),
    mutant("names that stay in the folder", "if not all(_STEP.fullmatch(step) for step in steps):", "if False:", FILES),
    mutant("one process at a time", "        if not _lock(file):", "        if not _lock(file) and False:", LISTING),
    mutant(
        "the options it was begun with", "            if begun.get(name) != value:", "            if False:", LISTING
    ),
    mutant(
        "a folder of something else",
        "        if Folder(self.folder).is_foreign():",
        "        if False:",
        LISTING,
    ),
    mutant(
        "a batch that Ctrl-C ends is committed",
        "            self.is_stopped = True\n            self._batch.stop()\n",
        "            raise KeyboardInterrupt\n",
        LISTING,
    ),
    mutant(
        "text that is no formula",
        'return f"\'{content}" if _FORMULA.match(content) else content',
        "return content",
        CSV,
    ),
    mutant("a record over several lines", "return piece.count(b'\"') % 2 == 0", "return True", CSV),
    mutant("one header in a file of many parts", "body.removeprefix(first)", "body", CSV),
    mutant(
        "a part of csv cut nowhere",
        'if format_of(manifest["format"]).is_whole is None:',
        "if True:",
        CSV_PARTS,
    ),
    mutant(
        "the header of a part of csv, which is no key",
        "offset is not None or (slice_.start == 0 and not records.has_header)",
        "offset is not None or slice_.start == 0",
        CSV_PARTS,
    ),
    mutant(
        "a record of csv to its end",
        "while end and self._is_whole is not None and not self._is_whole(self._buffer[begin:end]):",
        "while False:",
        CSV_PARTS,
    ),
)
