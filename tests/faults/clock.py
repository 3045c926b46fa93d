"""Time as the simulated world has it: it goes on when somebody waits or calls, and never by itself."""

CALL_SECONDS = 0.01


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds
