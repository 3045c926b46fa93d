"""The command with one more check, which waits until the process is interrupted or killed."""

import time

from verify import checks
from verify.check import REGISTERED, check
from verify.kit import Kit

NAME = "waits"


@check(NAME, "This check never ends.", source="-", breaks="-")
def waits(kit: Kit) -> str:
    for _ in range(600):  # short waits: a signal that arrives just before a wait does not end it
        time.sleep(1)
    return "it was not interrupted"


checks.CHECKS[NAME] = REGISTERED[NAME]

if __name__ == "__main__":
    from verify.__main__ import main  # its option --only takes the names that there are when it is imported

    main()
