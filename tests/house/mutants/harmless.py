"""Random changes that survive and should, each with the reason: nobody who uses the product can see them.

`python -m tests.house.mutants` leaves them out, for each would be tried against all that is near.
"""

# fmt: off
REASONS = {
    "pace.pace:Fault: 'capacity' -> 'capacityX' [CAPACITY = \"capacity\"  # throttled: the capacity o]":
        "The members of Fault are compared with each other; their values are neither stored nor shown.",
    "pace.pace:Backoff.refused: 10 -> 11 [longest = min(LONGEST_SECONDS, FIRST_SECONDS * 2 *]":
        "Either is more than the longest wait, and only keeps the power small.",
    "scan.batch:Batch._openable: max -> min [if most > max(self._plan.walks, len(self._walks)):]":
        "The condition only spares a computation, whose result has no effect where it is not needed.",
    "pace.bill:Bill.to_json: '_' -> '_X' [each = {field.name.rstrip(\"_\"): round(getattr(self]":
        "No field's name ends in X.",
    "pace.bill:Bill.from_json: '_' -> '_X' [return cls(**{field.name: document.get(field.name.]":
        "No field's name ends in X, as above.",
    "pace.budget:Budget.of_batch: 0.0 -> 1.0 [return cls(room, (lambda: turn + second * (clock()]":
        "It is subtracted from unlimited dollars.",
    "pace.budget:Budget.of_batch: Lt -> LtE [return cls(room, (lambda: turn + second * (clock()]":
        "The cost of time is then subtracted from unlimited dollars.",
    "scan.plan:stride: Mult -> Div [step = max(1, round(segments * GOLDEN))]":
        "1 / 0.618 is 1.618: a stride of one whole round more.",
    "scan.plan:: 0.6180339887498949 -> 1.2360679774997898 [GOLDEN = 0.6180339887498949]":
        "Twice the golden ratio is as far from every simple fraction that the visits stay as far apart as they must.",
    "scan.plan:stride: 1 -> 2 [step = max(1, round(segments * GOLDEN))]":
        "It matters for one or two segments, whose visits are the same with a stride of 2 or 3.",
    "scan.width:Width: 0.0 -> 1.0 [_since: float = 0.0]":
        "It is set when a width's first pages have come, before anything reads it.",
    "scan.width:Width: 0.0 -> 1.0 [_busy_seconds: float = 0.0]":
        "It is set when a width's first pages have come, before anything reads it.",
    "scan.width:Width: 0.0 -> 1.0 [_seen: float = 0.0]":
        "No page is under way before the first call, so the time until then counts nothing.",
    "scan.batch:Batch.__init__: 1024 -> 1025 [self._amounts = lru_cache(1024)(lambda read_units:]":
        "The size of a cache, which only spares computations.",
    "scan.batch:: 0 -> 1 [NO_BOOKING = Booking(0)]":
        "The requests of a sample have this booking, and no ledger takes it.",
    "profile.segments:: 120 -> 121 [TARGET_SEGMENTS = 120]":
        "A profile reads one more segment within its budget; its figures have intervals either way.",
    "aws.follower:follow_stream: 'change' -> 'changeX' [with ThreadPoolExecutor(THREADS, thread_name_prefi]":
        "The name of a thread is only shown by a debugger.",
    "retrofit.forecast:_index: LtE -> Lt [if len(kinds) != 1 or not kinds <= set(SCALARS):]":
        "It is one type, which is never all three.",
    "markers.keeper:keep: 1 -> 2 [for writes in range(ROUNDS + 1):]":
        "The loop ends when as many writes as ROUNDS were made, before its range.",
    "items.template:: 10 -> 600 [LARGEST = 10**126  # longer than DynamoDB's larges]":
        "A number of up to 600 digits is refused by the next rule, that DynamoDB stores 38 digits.",
    "items.template:: 126 -> 127 [LARGEST = 10**126  # longer than DynamoDB's larges]":
        "The next rule refuses it, as above.",
    "inputs.names:similar: 64 -> 3840 [return [plain[near] for near in get_close_matches(]":
        "No field has a name that is near to one of more than 64 characters. It is cut for speed.",
    "dynamodb.delivery:from_stream: without the last [except (LookupError, TypeError, ValueError, Attrib]":
        "No value in a record of JSON raises AttributeError; it is caught in case that one would.",
    "folder.files:_lock: no statement [msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)]":
        "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: 0 -> 1 [file.seek(0)]": "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: no statement [file.seek(0)]": "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: 1 -> 2 [msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)]":
        "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: True -> False [return True]": "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: swallowed [except OSError:]": "Windows alone runs it, where this trial does not.",
    "folder.files:: 'win32' -> 'win32X' [if sys.platform == \"win32\":]":
        "It differs on Windows alone, where this trial does not run.",
    "folder.files:sync_folder: 'nt' -> 'ntX' [if os.name == \"nt\":]": "It differs on Windows alone, as above.",
    "folder.files:_lock: no statement [file.seek(HELD_BYTE)]": "Windows alone runs it, where this trial does not.",
    "profile.table_map:_drawn: 18 -> 19 [tag(\"text\", words, class_=shown_on, x=INDENT, y=mi]":
        "The words in a tall field are one pixel lower.",
    "pace.ledger:Reserved: 'yes' -> 'yesX' [YES = \"yes\"]":
        "The members of Reserved are compared with each other; their values are neither stored nor shown.",
    "report.svg:interval: 0 -> 1 [tag(\"line\", class_=\"mark\", x1=percent(truth), x2=p]":
        "The line that marks a figure begins one of its 14 pixels lower.",
    "loop.event:: without the first [Reports = Mapping[int, Mapping[str, Any]]] (2)":
        "An alias of a type, which no code reads at run time.",
    "loop.allotment:: 9999 -> 10000 [PLAN = 9_999]":
        "Any number will do that no worker has, and a run has at most 1,000.",
    "environment.executions:Executions.refusal: 2 -> 3 [found = self._client.get_execution_history(executi]":
        "One more event of the history is asked for than it takes to find the state Fail.",
    "stored.folder:work_in: 0 -> 1 [ending = _ended(results, results.layout.manifest, ]":
        "One row of a part more is held until the kind of the work is known.",
    "report.svg:interval: 14 -> 15 [height=14,]": "The strip of an interval is one pixel higher.",
    "aws.lean.connection:_head: LtE -> Lt [if not (length.isdigit() and len(length) <= 8 and ] (2)":
        "An answer of exactly 64 MB is refused; the longest page has 14 MB.",
    "sample.walks:: 1.5 -> 3.0 [LEAST_SEGMENT_UNITS, MOST_SEGMENT_UNITS = 1.5, 10.]":
        "A sample of a small table has fewer and larger segments; its figures have intervals either way.",
    "sample.walks:Walks._search: 1 -> 2 [segments, tried = max(segments // LARGER, 1), []]":
        "Of a table with hardly any group the search tries halves at last, which say as much as the whole.",
    "profile.shares:is_dominated: Gt -> GtE [return max(below) > DOMINATES * whole or max(squar]":
        "A segment that holds exactly the bound of all: its interval is as wide as that of one that holds a bit more.",
    "library.deployed:Deployed._newest: 1 -> 2 [by_start += [(entry.started, entry.name) for entry]":
        "The newest come first, so the second one is older than the first, and is not chosen.",
    "loop.dependencies:Meter: no repr= [_lock: Lock = field(default_factory=Lock, repr=Fal]":
        "Nothing shows the meter as text but a debugger.",
    "infra.bundle:bundle: no parents= [build.mkdir(parents=True, exist_ok=True)]":
        "The folder is below the checkout, which is there.",
    "aws.lean.connection:Connection.__init__: 0.0 -> 1.0 [self._used = 0.0, 0.0] (2)":
        "It is set by the first answer, before a connection that is open is asked for its age.",
    "act.actions.hand_over:Invoke: 4000000 -> 4000001 [bytes_together = 4_000_000  # Lambda takes 6 MB]":
        "Lambda takes 6 MB, so one byte more is within its limit, too.",
    "copy.plan:copy_plan: 1.0 -> 2.0 [most_units_per_write=1.0,]":
        "The sample says it before anything uses it.",
    "items.heads:SampleBudget._within: LtE -> Lt [return ITEMS if most_page_units(self._plan.step_un]":
        "Where exactly as much is left as a page may take, a page of the sample has one item.",
    "listing.planning:RunPlanning._series: 16 -> 960 [return sha256(json.dumps(document, sort_keys=True,]":
        "A series is known by all 64 digits as well as by 16.",
    "lines.json_lines:_written: 'S' -> 'SX' [if \"S\" in value:  # as most keys are, and a line i]":
        "The way of all other types writes the same line, in half as much time again.",
}
# fmt: on
"""By the name of the change, as `Variation.name` states it."""
