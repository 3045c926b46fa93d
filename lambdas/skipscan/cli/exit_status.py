"""The exit statuses of every command."""

RUN_FAILED = 3
DEFECT = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130
READER_GONE = 141  # the status that a shell reports for a program that SIGPIPE ended

STATUSES = {
    0: "success",
    1: "AWS, the table or a file refused a request",
    2: "the command line is wrong",
    RUN_FAILED: "the run or job was refused, failed or was stopped, or a cut-over proved nothing; stderr shows why",
    DEFECT: "a defect of skipscan; the message says where",
    INTERRUPTED: "Ctrl-C",
    READER_GONE: "output pipe closed (SIGPIPE)",
}
