"""One invocation of a handler: it continues call by call when the schedule allows it, and may end at any of them."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from tests.fakes.handlers.execution import through_json
from tests.simulation.world.fault import PUT, SENT, Call, Fault, Kind, empty_page, lost_answer, refusal
from tests.simulation.world.fibre import Fibre, Killed

if TYPE_CHECKING:
    from tests.simulation.world.world import World

SLOW_SECONDS = 100.0


@dataclass
class Request:
    """A call that others may notice, on its way. `sent`: when."""

    perform: Callable[[], Any]
    sent: float


class Attempt:
    """An attempt waits before its first call until the schedule lets it continue.

    `place`: the worker and the batch that it works on, once it works. `held`: the calls that others may notice and that
    wait for the schedule, by their fibre. `parts_before`: those of its worker that were there when it began.
    `given_up`: nobody waits for it. `looks`: when it looked at what.
    """

    def __init__(
        self, world: "World", function: str, handler: Any, event: Mapping[str, Any], on_end: Callable[["Attempt"], None]
    ) -> None:
        self.number = len(world.attempts)
        self.event = event
        self.answer_lost = False
        self.function = function
        self.parts_before: frozenset[str] | None = None
        self.place: tuple[int, int] | None = None
        self.given_up = False
        self.looks: dict[Any, int] = {}
        self.held: dict[Fibre, Request] = {}
        self.requests, self.read_units, self.most_expensive_page, self.calls = 0, 0.0, 0.0, 0
        self._world, self._clock, self._on_end = world, world.clock, on_end
        self.started = self._clock.now()
        self._deadline = self.started + world.lambda_seconds
        self._fibre = Fibre(lambda: through_json(handler(through_json(self.event), self._context())))
        self._calls_allowed: int | None = 0
        self._fault: Fault | None = None
        self._times = 0
        self._is_held = self._is_crashed = self.goes_round = False

    @property
    def ended(self) -> bool:
        return self._fibre.done

    @property
    def due(self) -> float:
        """Return when the first of its fibres has waited long enough, all of which wait."""
        return min(fibre.due for fibre in self._fibre.family if not fibre.done and fibre.due > self._clock.now())

    @property
    def was_committed(self) -> bool:
        """Tell whether its batch was committed before it began."""
        return any(f"/part-{self.place[1]:05d}." in name for name in self.parts_before or ()) if self.place else False

    @property
    def answer(self) -> Any:
        return None if self.error else self._fibre.value

    @property
    def error(self) -> BaseException | None:
        return self._fibre.error

    def go_on(self, calls: int | None = None, fault: Fault | None = None, times: int = 1) -> None:
        """Let so many calls pass (`None`: all), then let the fault happen to as many as `times` of those it fits.

        With a fault, only calls that it fits are counted. If none comes, the attempt runs to its end.
        """
        self._calls_allowed, self._fault, self._times = calls, fault, times
        self._is_held = False
        family = self._fibre.family
        while not self.ended and not self._is_held:
            ready = [fibre for fibre in family if not fibre.done and fibre.waits_for()]
            if not ready:  # each waits for its time
                return
            (ready[0] if len(ready) == 1 else self._world.random.choice(ready)).go_on()
            if self._is_crashed:
                self._end_all()
            if len(family) > 1:
                family[1:] = [fibre for fibre in family[1:] if not fibre.done]
        if self.ended:
            self._on_end(self)

    def kill(self) -> None:
        self._end_all()
        self._on_end(self)

    def call(self, call: Call) -> dict[str, Any]:
        """Make a call the way the schedule wants it; this is where the attempt stops in between."""
        fibre = Fibre.running
        assert fibre
        if call.kind in SENT:
            self.held[fibre] = Request(call.perform, self._clock.now())
        self._world.take_turns(fibre)
        while self._calls_allowed == 0 and not self._fault:
            self._is_held = True
            fibre.pause()
        fibre.check()
        self.held.pop(fibre, None)
        self.calls += 1
        self._clock.sleep(self._world.call_seconds)
        if self.calls > self._world.most_calls:
            self.goes_round = True
            self._crash()
        if self._clock.now() > self._deadline:
            self._world.counts.fault(Fault.TIME_OUT)
            self._crash()
        if self._fault and call.kind in self._fault.fits:
            if not self._calls_allowed:
                return self._meet(self._fault, call)
            self._calls_allowed -= 1
        elif self._calls_allowed and not self._fault:
            self._calls_allowed -= 1
        chance = self._world.chance(call)
        return self._suffer(chance, call) if chance else self._made(call)

    def _meet(self, fault: Fault, call: Call) -> dict[str, Any]:
        if fault is Fault.EMPTY_PAGE and "ExclusiveStartKey" not in call.parameters:
            return self._made(call)
        self._times -= 1
        if not self._times:
            self._fault, self._calls_allowed = None, 0
        return self._suffer(fault, call)

    def _suffer(self, fault: Fault, call: Call) -> dict[str, Any]:
        self._world.counts.fault(fault)
        if error := refusal(fault, call):
            raise error
        match fault:
            case Fault.CRASH_BEFORE | Fault.CRASH_BEFORE_PART | Fault.TIME_OUT:
                self._crash()
            case Fault.CRASH_AFTER | Fault.CRASH_AFTER_PART:
                with suppress(Exception):
                    self._made(call)
                self._crash()
            case Fault.SLOW:
                self._clock.sleep(SLOW_SECONDS)
            case Fault.EMPTY_PAGE:
                return self._counted(empty_page(call))
            case Fault.LOST:
                with suppress(ClientError):
                    self._made(call)
                raise lost_answer()
            case Fault.LOST_RETRIED:
                self._made(call)
            case Fault.LATE:
                self._receive(call)
                raise lost_answer()
            case Fault.LATE_RETRIED | Fault.SENT_TWICE:
                self._receive(call)
            case Fault.RACED:
                self._world.s3.receive(call.parameters, refusals=self._world.random.randint(1, 7))
        return self._made(call)

    def _receive(self, call: Call) -> None:
        """Let a call take effect later."""
        if call.kind in PUT:
            self._world.s3.receive(call.parameters)
        else:
            self._world.late.append(Request(call.perform, self._clock.now()))

    def _made(self, call: Call) -> dict[str, Any]:
        answer: dict[str, Any] = self._world.trouble(call)
        return self._counted(answer) if call.kind is Kind.SCAN else answer

    def _counted(self, page: dict[str, Any]) -> dict[str, Any]:
        self.requests += 1
        units = page.get("ConsumedCapacity", {}).get("CapacityUnits")
        if not isinstance(units, float | int):  # the product refuses what is no page
            return page
        self.read_units, self.most_expensive_page = self.read_units + units, max(self.most_expensive_page, units)
        return page

    def _crash(self) -> None:
        self._is_crashed = True
        raise Killed

    def _end_all(self) -> None:
        for fibre in reversed(self._fibre.family):
            fibre.kill()

    def _context(self) -> Any:
        return SimpleNamespace(
            function_name="test",
            memory_limit_in_mb=1769,
            invoked_function_arn="arn:aws:lambda:us-east-1:000000000000:function:test",
            aws_request_id=str(self.number),
            get_remaining_time_in_millis=lambda: 1000 * (self._deadline - self._clock.now()),
        )
