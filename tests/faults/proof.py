"""Conditions that must hold at the end of every schedule, whatever failed before."""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from skipscan.metrics.metric import Metric
from tests.faults.functions import PREFIX
from tests.faults.simulator import CLEAN, RUN, BrokenRunError, Simulator


def prove(world: Simulator) -> None:
    """Settle the world, and raise `BrokenRunError` unless every key is in the result once and all counts agree."""
    _demand(not world.complaint, world.complaint)
    world.settle()
    root = f"{PREFIX}/{world.setting.table}/runs/{RUN}/"
    _demand(f"{root}manifest.json" in world.s3.objects, f"no manifest: {[e.outcome for e in world.executions]}")
    frozen = _result(world, root)
    for execution in world.executions:
        error = (execution.outcome or {}).get("error")
        _demand(error is None or error in CLEAN, f"an execution ended with {error}")
    _prove_plan(world)
    manifest = json.loads(world.s3.objects[f"{root}manifest.json"].body)
    _prove_keys(world, root, manifest)
    _prove_counts(world, root, manifest)
    world.let_zombies_finish()
    _demand(_result(world, root) == frozen, "the result changed after its manifest was written")
    twice = [name for name, puts in Counter(world.s3.journal).items() if puts > 1 and name.startswith(f"{root}keys/")]
    _demand(not twice, f"written twice: {twice}")
    journal = world.s3.journal
    late = [name for name in journal[journal.index(f"{root}manifest.json") :] if name.startswith(f"{root}keys/")]
    _demand(not late, f"written after the manifest: {late}")
    _prove_metrics(world, manifest)


def _result(world: Simulator, root: str) -> dict[str, Any]:
    names = [name for name in world.s3.objects if name.startswith((f"{root}keys/", f"{root}manifest"))]
    return {name: world.s3.objects[name] for name in names}


def _prove_plan(world: Simulator) -> None:
    """Only one plan was passed on, however often Plan ran and however the table looked."""
    answers = [a.answer for a in world.attempts if a.function == "plan" and a.event["name"] == RUN and a.answer]
    plans = [answer for answer in answers if "error" not in answer]
    _demand(all(plan == plans[0] for plan in plans), "a repeated Plan made another plan")


def _prove_keys(world: Simulator, root: str, manifest: Mapping[str, Any]) -> None:
    parts = {name: world.s3.objects[name].body for name in world.s3.objects if name.startswith(f"{root}keys/")}
    stated = {part["name"]: part for part in manifest["parts"]}
    held = {name for name, body in parts.items() if body}
    _demand(stated.keys() == held, "the manifest names other parts than there are with keys")
    for name, part in stated.items():
        body = parts[name]
        seen = (body.count(b"\n"), len(body), hashlib.sha256(body).hexdigest())
        _demand(seen == (part["keys"], part["bytes"], part["sha256"]), f"{name} is not what the manifest says")
    taken = [json.loads(line) for body in parts.values() for line in body.splitlines()]
    lines = Counter(next(iter(line.values())) for line in taken)
    if world.setting.takes:
        _prove_items(world, taken)
    whole_time, touched = world.keys()
    _demand(lines.total() == manifest["keys"], f"the manifest says {manifest['keys']} keys, there are {lines.total()}")
    twice = [key for key, times in lines.items() if times > 1]
    _demand(not twice, f"twice in the result: {twice}")
    _demand(not whole_time - lines, f"missing: {dict(whole_time - lines)}")
    _demand(lines.keys() <= whole_time.keys() | touched, f"made up: {lines.keys() - whole_time.keys() - touched}")


def _prove_items(world: Simulator, taken: list[dict[str, Any]]) -> None:
    """Each line has its collection's two ends, wherever pages, batches and executions began and ended.

    Of a collection that others wrote to: as they were at one time of the run.
    """
    (attribute,) = {next(iter(line)) for line in taken} or {"pk"}
    for line in taken:
        _demand(list(line) == [attribute, *world.taken, "read"], f"members of a line: {list(line)}")
        for end in world.taken:
            items = world.ends(line[attribute], end)
            plain = [item and {name: _plain(value) for name, value in item.items()} for item in items]
            _demand(line[end] in plain, f"{line[attribute]}: never the {end} item of its collection")


def _plain(value: Mapping[str, Any]) -> Any:
    ((kind, content),) = value.items()
    if kind == "B":
        return base64.b64encode(content).decode()
    return int(content) if kind == "N" else content


def _prove_counts(world: Simulator, root: str, manifest: Mapping[str, Any]) -> None:
    """Every part's checkpoint counts exactly what its attempt started from and received itself."""
    requests, read_units = 0, 0.0
    for worker in range(manifest["workers"]):
        before: Mapping[str, Any] = {"keys": 0, "requests": 0, "read_units": 0.0}
        for batch, name in enumerate(sorted(n for n in world.s3.objects if f"{root}keys/worker={worker:04d}/" in n)):
            stored = world.s3.objects[name]
            attempt_name = stored.metadata["attempt"]
            attempt = world.attempts[int(attempt_name.removeprefix("attempt"))]
            checkpoint = world.s3.objects[
                f"{root}checkpoints/worker={worker:04d}/batch-{batch:05d}-{attempt_name}.json"
            ]
            counts = json.loads(checkpoint.body)["counts"]
            handed_in = attempt.event.get("progress", {}).get("counts", before)
            _demand(counts["keys"] == handed_in["keys"] + stored.body.count(b"\n"), f"{name}: keys counted wrongly")
            _demand(handed_in["keys"] == before["keys"], f"{name}: begun elsewhere than the part before ended")
            _demand(counts["requests"] == handed_in["requests"] + attempt.requests, f"{name}: requests counted wrongly")
            _demand(
                abs(counts["read_units"] - handed_in["read_units"] - attempt.read_units) < 1e-6,
                f"{name}: read units counted wrongly",
            )
            before = counts
        requests, read_units = requests + before["requests"], read_units + before["read_units"]
    _demand(requests == manifest["requests"], "the manifest counts other requests than the parts")
    _demand(abs(read_units - manifest["read_units"]) < 1e-6, "the manifest counts other read units than the parts")


def _prove_metrics(world: Simulator, manifest: Mapping[str, Any]) -> None:
    """A batch may be unreported if its attempt was killed right after it; no batch is reported twice."""
    emitted = world.emitted
    _demand(emitted[Metric.KEYS] <= manifest["keys"], f"{emitted[Metric.KEYS]} keys are told of {manifest['keys']}")
    _demand(emitted[Metric.RUNS_FINISHED] <= 1, "the run is told to have finished twice")
    _demand(emitted[Metric.RUN_KEYS] in (0, manifest["keys"]), "other keys are told of the run than it has")


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise BrokenRunError(otherwise)
