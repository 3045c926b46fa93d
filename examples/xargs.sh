#!/bin/sh
# Runs a command with 50 keys at a time as its arguments, four commands at once:
#   skipscan keys Orders --format jsonl | examples/xargs.sh ./on-customers
# A line is a key, whatever that holds; ended by NUL, no quote, space or backslash in it means anything to xargs.
# No keys, no command.
tr '\n' '\0' | xargs -0 -r -n 50 -P 4 -- "$@"
