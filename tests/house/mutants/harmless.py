"""Random changes that survive and should, each with the reason: nobody who uses the product can see them.

`python -m tests.house.mutants` leaves them out, for each would be tried against all that is near.
"""

# fmt: off
REASONS = {
    "pace.pace:Fault: 'capacity' -> 'capacityX' [CAPACITY]":
        "The members of Fault are compared with each other; their values are neither stored nor shown.",
    "pace.pace:Backoff.refused: 10 -> 11 [min]":
        "Either is more than the longest wait, and only keeps the power small.",
    "scan.batch:Batch._openable: max -> min [max walks _plan len _walks]":
        "The condition only spares a computation, whose result has no effect where it is not needed.",
    "pace.bill:Amounts.fits: no strict= [zip _all strict= True]": "Both have the same three amounts, as below.",
    "pace.bill:Amounts.fits: True -> False [strict]": "Both have the same three amounts.",
    "pace.bill:Bill.to_json: '_' -> '_X' [rstrip]": "No field's name ends in X.",
    "pace.bill:Bill.from_json: '_' -> '_X' [rstrip]": "No field's name ends in X, as above.",
    "pace.budget:Budget.of_batch: 0.0 -> 1.0 []": "It is subtracted from unlimited dollars.",
    "pace.budget:Budget.of_batch: Lt -> LtE [dollars inf]":
        "The cost of time is then subtracted from unlimited dollars.",
    "scan.plan:stride: Mult -> Div [GOLDEN]": "1 / 0.618 is 1.618: a stride of one whole round more.",
    "scan.plan:: 0.6180339887498949 -> 1.2360679774997898 [GOLDEN]":
        "Twice the golden ratio is as far from every simple fraction that the visits stay as far apart as they must.",
    "scan.plan:stride: 1 -> 2 [max]":
        "It matters for one or two segments, whose visits are the same with a stride of 2 or 3.",
    "scan.width:Width: 0.0 -> 1.0 [_since]":
        "It is set when a width's first pages have come, before anything reads it.",
    "scan.width:Width: 0.0 -> 1.0 [_busy_seconds]":
        "It is set when a width's first pages have come, before anything reads it.",
    "scan.width:Width: 0.0 -> 1.0 [_seen]":
        "No page is under way before the first call, so the time until then counts nothing.",
    "scan.batch:Batch.__init__: 1024 -> 1025 [lru_cache]": "The size of a cache, which only spares computations.",
    "scan.batch:: 0 -> 1 [Booking]": "The requests of a sample have this booking, and no ledger takes it.",
    "profile.segments:: 120 -> 121 [TARGET_SEGMENTS]":
        "A profile reads one more segment within its budget; its figures have intervals either way.",
    "aws.follower:follow_stream: 'change' -> 'changeX' [thread_name_prefix]":
        "The name of a thread is only shown by a debugger.",
    "aws.function:Settings.read: True -> False [strict]":
        "The stack makes both variables from the same copies, so their lengths are equal.",
    "aws.function:Settings.read: no strict= [zip strict= True]":
        "The stack makes both variables from the same copies, so their lengths are equal.",
    "retrofit.input:_templates: True -> False [strict]":
        "The assignments are parsed from the same mapping, so there are as many as it has values.",
    "report.segment_spread:length_spread: no strict= [zip strict= True]":
        "The shares are made from the octaves, one of each.",
    "retrofit.forecast:_index: LtE -> Lt [set SCALARS]": "It is one type, which is never all three.",
    "markers.keeper:keep: 1 -> 2 [range]": "The loop ends when as many writes as ROUNDS were made, before its range.",
    "items.template:: 10 -> 600 [LARGEST]":
        "A number of up to 600 digits is refused by the next rule, that DynamoDB stores 38 digits.",
    "items.template:: 126 -> 127 [LARGEST]": "The next rule refuses it, as above.",
    "inputs.names:similar: 64 -> 3840 [casefold]":
        "No field has a name that is near to one of more than 64 characters. It is cut for speed.",
    "inputs.schedule_expression:: 31 -> 32 [LONGEST_MONTHS]": "A day 32 is refused before, by the bounds of its field.",
    "dynamodb.delivery:from_stream: without the last [LookupError TypeError ValueError AttributeError]":
        "No value in a record of JSON raises AttributeError; it is caught in case that one would.",
    "folder.files:_lock: no statement [locking msvcrt fileno LK_NBLCK 1]":
        "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: 0 -> 1 [seek]": "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: no statement [seek 0]": "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: 1 -> 2 [locking]": "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: True -> False [_lock]": "Windows alone runs it, where this trial does not.",
    "folder.files:_lock: swallowed [OSError False]": "Windows alone runs it, where this trial does not.",
    "folder.files:: 'win32' -> 'win32X' []": "It differs on Windows alone, where this trial does not run.",
    "folder.files:sync_folder: 'nt' -> 'ntX' [sync_folder]": "It differs on Windows alone, as above.",
    "folder.files:_lock: no statement [seek HELD_BYTE]": "Windows alone runs it, where this trial does not.",
    "profile.table_map:_drawn: 18 -> 19 [min]": "The words in a tall field are one pixel lower.",
    "pace.ledger:Reserved: 'yes' -> 'yesX' [YES]":
        "The members of Reserved are compared with each other; their values are neither stored nor shown.",
    "sample.walks:: 10 -> 11 [LEAST_SEGMENTS]":
        "A sample of few segments has one more, within its budget; its figures have intervals either way.",
    "report.svg:interval: 0 -> 1 [y1]": "The line that marks a figure begins one of its 14 pixels lower.",
    "report.svg:interval: 14 -> 15 [height]": "The strip of an interval is one pixel higher.",
    "aws.lean.connection:_head: LtE -> Lt [int BODY_BYTES]":
        "An answer of exactly 64 MB is refused; the longest page has 14 MB.",
    "aws.follower:follow_stream: no strict= [zip strict= True]":
        "Every change has one outcome, so their lengths are equal.",
    "report.segment_spread:length_spread: True -> False [strict]": "The shares are made from the octaves, one of each.",
    "sample.clusters:is_dominated: Gt -> GtE [max DOMINATES]":
        "A segment that holds exactly the bound of all: its interval is as wide as that of one that holds a bit more.",
    "library.deployed:Deployed._newest: 1 -> 2 []":
        "The newest come first, so the second one is older than the first, and is not chosen.",
    "loop.dependencies:Meter: no repr= [field default_factory= Lock repr= False]":
        "Nothing shows the meter as text but a debugger.",
    "infra.bundle:bundle: no parents= [mkdir parents= True exist_ok=]":
        "The folder is below the checkout, which is there.",
    "aws.lean.connection:Connection.__init__: 0.0 -> 1.0 [_used] (2)":
        "It is set by the first answer, before a connection that is open is asked for its age.",
    "lines.json_lines:_written: 'S' -> 'SX' [_written]":
        "The way of all other types writes the same line, in half as much time again.",
}
# fmt: on
"""By the name of the change, as `Variation.name` states it."""
