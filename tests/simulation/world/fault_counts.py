"""What the schedules were made of, counted by kind."""

from collections import Counter
from dataclasses import dataclass, field

from tests.simulation.world.fault import Fault


@dataclass
class FaultCounts:
    """`faults`: that happened, not only planned. `outcomes`: how executions ended, by name."""

    schedules: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)

    def fault(self, fault: Fault | str) -> None:
        self.faults[fault.value if isinstance(fault, Fault) else fault] += 1

    def outcome(self, name: str) -> None:
        self.outcomes[name] += 1

    def __iadd__(self, other: "FaultCounts") -> "FaultCounts":
        self.schedules += other.schedules
        self.faults += other.faults
        self.outcomes += other.outcomes
        return self
