"""Interprets state machines with LocalStack, in the Python of .venv-localstack: `python localstack_process.py`.

It has no server and calls no AWS. Documents of JSON travel over the pipes, one a line. Input: `run` (a definition, an
execution's input, name and ARN), and the answers to calls, by their `id`. Output: each call that a task makes, each
wait of a retrier, and `ended`. The test process answers the calls: see localstack.py.

Only the interpreter is imported. What it would import besides, for JSONata and for tasks that no machine of ours has,
needs Java, a server or a newer Python, so an empty module takes its place.
"""

import io
import json
import logging
import sys
import threading
import time
from itertools import count
from pkgutil import resolve_name
from types import ModuleType, SimpleNamespace
from typing import Any

ASL = "localstack.services.stepfunctions.asl"
LINES = threading.Lock()
WAITING: dict[int, Any] = {}
NUMBERS = count(1)


def empty(name: str, **has: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(has)
    sys.modules[name] = module
    return module


empty("jpype", imports=empty("jpype.imports"))
empty("localstack.services.stepfunctions.packages", jpype_jsonata_package=None)
empty("localstack.services.events.utils", to_json_str=lambda value: json.dumps(value, separators=(",", ":")))
empty(f"{ASL}.component.state.state_execution.state_task.service.state_task_service_batch", StateTaskServiceBatch=None)

SERVICE, PROCESSOR = "localstack.services.stepfunctions", f"{ASL}.component.state.state_execution.state_map.iteration"
of = resolve_name
ClientError = of("botocore.exceptions:ClientError")
CustomErrorName = of(f"{ASL}.component.common.error_name.custom_error_name:CustomErrorName")
failures = of(f"{ASL}.component.common.error_name.failure_event")
retrier_decl = of(f"{ASL}.component.common.retry.retrier_decl")
ChildWorker = of(f"{PROCESSOR}.itemprocessor.distributed_item_processor_worker:DistributedItemProcessorWorker")
details = of(f"{ASL}.eval.evaluation_details")
AmazonStateLanguageParser = of(f"{ASL}.parse.asl_parser:AmazonStateLanguageParser")
StaticAnalyser = of(f"{ASL}.static_analyser.static_analyser:StaticAnalyser")
boto_client = of(f"{ASL}.utils.boto_client")
Worker = of(f"{SERVICE}.backend.execution_worker:SyncExecutionWorker")


def say(document: object) -> None:
    with LINES:
        sys.stdout.write(json.dumps(document, default=str) + "\n")
        sys.stdout.flush()


class Client:
    """A client of a service of AWS, whose calls the test process answers."""

    def __init__(self, service: str) -> None:
        self.service = service

    def __getattr__(self, operation: str) -> Any:
        return lambda **parameters: self.call(operation, parameters)

    def call(self, operation: str, parameters: dict[str, Any]) -> Any:
        sent = {name: value.decode() if isinstance(value, bytes) else value for name, value in parameters.items()}
        number, answered = next(NUMBERS), threading.Event()
        WAITING[number] = answered
        say({"id": number, "service": self.service, "operation": operation, "parameters": sent})
        answered.wait()
        answer = WAITING.pop(number)
        if "refused" in answer:
            metadata = {"HTTPStatusCode": answer["status"], "RequestId": "request"}
            error = {"Code": answer["refused"], "Message": answer["message"]}
            raise ClientError({"Error": error, "ResponseMetadata": metadata}, operation)
        found = answer["answer"]
        if "Payload" in found:
            found["Payload"] = io.BytesIO(json.dumps(found["Payload"]).encode())
        return found


def wait(seconds: float) -> None:
    say({"waited": seconds})
    time.sleep(0.001)  # the others continue meanwhile


def parsed(definition: str) -> Any:
    """Return what the parser makes of a definition, which takes it seconds; nothing of an execution is in it."""
    if definition not in PARSED:
        PARSED[definition] = PARSE(definition)
        StaticAnalyser().analyse(definition)  # which parses, too
    return PARSED[definition]


def evaluated(worker: Any, env: Any, job: Any) -> None:
    """Let a child of a Distributed Map fail the Map, as AWS does without a tolerance; LocalStack has no tolerance."""
    EVALUATE(worker, env, job)
    if error := getattr(env.program_state(), "error", None):
        named, what = CustomErrorName(error["error"]), {"executionFailedEventDetails": error}
        failure = failures.FailureEvent(env, named, "ExecutionFailed", what)
        job.job_output = failures.FailureEventException(failure)


PARSE, PARSED = AmazonStateLanguageParser.parse, dict[str, Any]()
EVALUATE = ChildWorker._eval_job
AmazonStateLanguageParser.parse = staticmethod(parsed)
ChildWorker._eval_job = evaluated
retrier_decl.time = SimpleNamespace(sleep=wait)
boto_client.connect_to = SimpleNamespace(with_assumed_role=lambda **_: SimpleNamespace(get_client=Client))
ENDING = SimpleNamespace(terminated=lambda: None)


def run(asked: dict[str, Any]) -> None:
    _, _, _, region, account, *_ = asked["arn"].split(":")
    role, machine = asked["role"], asked["arn"].replace(":execution:", ":stateMachine:").rpartition(":")[0]
    evaluation = details.EvaluationDetails(
        details.AWSExecutionDetails(account, region, role),
        details.ExecutionDetails(asked["arn"], asked["name"], role, asked["input"], asked["started"]),
        details.StateMachineDetails(machine, machine.rpartition(":")[2], "STANDARD", asked["definition"]),
    )
    worker = Worker(evaluation, ENDING, None, {})
    try:
        worker.start()
    except Exception as broken:
        say({"broken": f"{type(broken).__name__}: {broken}"})
        return
    env = worker.env
    state = env.program_state()
    error, events = getattr(state, "error", None), env.event_manager.get_event_history()
    output = None if error else env.states.get_input()
    say({"ended": {"state": type(state).__name__, "output": output, "error": error, "events": events}})


def main() -> None:
    logging.disable()  # each failure of a task would be a line of 20 kB
    say({"ready": True})
    for line in sys.stdin:
        document = json.loads(line)
        if "run" in document:
            threading.Thread(target=run, args=(document["run"],), daemon=True).start()
        else:
            answered, WAITING[document["id"]] = WAITING[document["id"]], document
            answered.set()


if __name__ == "__main__":
    main()
