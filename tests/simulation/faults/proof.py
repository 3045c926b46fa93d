"""Conditions that must hold at the end of every schedule, whatever failed before."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from skipscan.loop.metric import Metric
from tests.simulation.faults.simulator import CLEAN, RUN, Simulator
from tests.simulation.world.world import BrokenRunError


def prove(world: Simulator) -> None:
    """Settle the world, and raise `BrokenRunError` unless everything is done once and all counts agree."""
    _demand(not world.complaint, world.complaint)
    world.apply()
    layout, objects = world.layout, world.s3.objects
    _demand(layout.manifest in objects, f"no manifest: {[e.outcome for e in world.executions]}")
    frozen = _result(world)
    for execution in world.executions:
        error = (execution.outcome or {}).get("error")
        _demand(error is None or error in CLEAN, f"an execution ended with {error}")
    _prove_plan(world)
    manifest = json.loads(objects[layout.manifest].body)
    _prove_parts(world, manifest)
    _prove_counts(world, manifest)
    world.let_zombies_finish()
    _demand(_result(world) == frozen, "the result changed after its manifest was written")
    journal = world.s3.journal
    twice = [name for name, puts in Counter(journal).items() if puts > 1 and name.startswith(layout.parts)]
    _demand(not twice, f"written twice: {twice}")
    late = [name for name in journal[journal.index(layout.manifest) :] if name.startswith(layout.parts)]
    _demand(not late, f"written after the manifest: {late}")
    _prove_metrics(world, manifest)


def _result(world: Simulator) -> dict[str, Any]:
    objects = world.s3.objects
    return {name: objects[name] for name in objects if name.startswith((world.layout.parts, world.layout.manifest))}


def _prove_plan(world: Simulator) -> None:
    """Only one plan was passed on, however often Plan ran and however the table looked."""
    planning = [a for a in world.attempts if a.function == world.execution.plan_state and a.event["name"] == RUN]
    plans = [attempt.answer for attempt in planning if attempt.answer and "error" not in attempt.answer]
    _demand(all(plan == plans[0] for plan in plans), "a repeated Plan made another plan")


def _prove_parts(world: Simulator, manifest: Mapping[str, Any]) -> None:
    objects = world.s3.objects
    parts = {name: objects[name].body for name in objects if name.startswith(world.layout.parts)}
    stated = {part["name"]: part for part in manifest["parts"]}
    held = {name for name, body in parts.items() if body}
    _demand(stated.keys() == held, "the manifest names other parts than there are with keys")
    for name, part in stated.items():
        body = parts[name]
        seen = (body.count(b"\n"), len(body), hashlib.sha256(body).hexdigest())
        _demand(seen == (part["keys"], part["bytes"], part["sha256"]), f"{name} is not what the manifest says")
    wrong = world.work.wrong([json.loads(line) for body in parts.values() for line in body.splitlines()], manifest)
    _demand(not wrong, wrong)


def _prove_counts(world: Simulator, manifest: Mapping[str, Any]) -> None:
    """Every part's checkpoint continues the one before: it counts exactly what its attempt received itself besides."""
    requests, read_units = 0, 0.0
    for worker in range(manifest["workers"]):
        before: Mapping[str, Any] = {"keys": 0, "requests": 0, "read_units": 0.0}
        parts = f"{world.layout.parts}worker-{worker:04d}/"
        for batch, name in enumerate(sorted(name for name in world.s3.objects if name.startswith(parts))):
            stored = world.s3.objects[name]
            attempt_name = stored.metadata["attempt"]
            attempt = world.attempts[int(attempt_name.removeprefix("attempt"))]
            checkpoint = world.s3.objects[world.layout.checkpoint(worker, batch, attempt_name)]
            counts = json.loads(checkpoint.body)["counts"]
            handed_in = attempt.event.get("progress", {}).get("counts", before)
            _demand(handed_in["keys"] == before["keys"], f"{name}: begun elsewhere than the part before ended")
            lines = stored.body.count(b"\n")
            _demand(counts["keys"] == handed_in["keys"] + lines, f"{name}: keys counted wrongly")
            was_answered = counts["requests"] == handed_in["requests"] + attempt.requests
            _demand(was_answered, f"{name}: requests counted wrongly")
            units = counts["read_units"] - handed_in["read_units"] - attempt.read_units
            _demand(abs(units) < 1e-6, f"{name}: read units counted wrongly")
            before = counts
        requests, read_units = requests + before["requests"], read_units + before["read_units"]
    _demand(requests == manifest["requests"], "the manifest counts other requests than the parts")
    _demand(abs(read_units - manifest["read_units"]) < 1e-6, "the manifest counts other read units than the parts")


def _prove_metrics(world: Simulator, manifest: Mapping[str, Any]) -> None:
    """A batch may be unreported if its attempt was killed right after it; no batch is reported twice."""
    emitted = world.emitted
    keys = manifest["keys"]
    _demand(emitted[Metric.KEYS] <= keys, f"{emitted[Metric.KEYS]} are told of {keys}")
    _demand(emitted[Metric.RUNS_FINISHED] <= 1, "the run is told to have finished twice")
    _demand(emitted[Metric.RUN_KEYS] in (0, keys), "other keys are told of the run than it has")


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise BrokenRunError(otherwise)
