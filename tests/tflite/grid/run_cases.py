"""Runs cases: compiled by lathe in batches, or one by one on an oracle in a process of its own."""
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from compiled_bytes import CompiledBytes, Refused
from model_writer import Model, Subgraph

BATCH = 24


class Failed(Exception):
    """A case for which there are no results. `clean`: lathe ended with a diagnostic."""

    clean = True


def model_of(cases):
    """One model with an operator per case, and the bytes of its inputs for all steps of each case."""
    inputs, outputs, feeds = [], [], []
    for i, case in enumerate(cases):
        for tensor in [t for t in case.operator.inputs if t is not None] + case.outputs:
            tensor.name = "c%d_%s" % (i, tensor.name.split("_")[-1])
        inputs += case.feeds
        outputs += case.outputs
        feeds += [tensor.feed for tensor in case.feeds]
    operators, bodies = [], []
    for case in cases:
        if case.bodies:
            case.operator.options = case.options_of(len(bodies) + 1)
            bodies += case.bodies
        operators.append(case.operator)
    return Model([Subgraph(inputs, outputs, operators)] + bodies).write(), feeds


def step_feeds(cases):
    """The bytes of the inputs of each step; a case that ended gets those of its last one."""
    for step in range(max(case.steps for case in cases)):
        feeds = []
        for case in cases:
            for tensor in case.feeds:
                size = len(tensor.feed) // case.steps
                start = min(step, case.steps - 1) * size
                feeds.append(tensor.feed[start:start + size])
        yield feeds


def defined(case, results):
    """The results of all steps, without what is not defined."""
    n = len(case.outputs)
    return sum((case.defined(results[i:i + n]) for i in range(0, n * case.steps, n)), [])


def compiled_results(lathe, cases, batch=BATCH, flags=()):
    """For each case the list of output bytes, or a Failed."""
    results = []
    for start in range(0, len(cases), batch):
        results += compiled_batch(lathe, cases[start:start + batch], flags)
    return results


def compiled_batch(lathe, cases, flags):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.tflite")
        data, _ = model_of(cases)
        with open(path, "wb") as file:
            file.write(data)
        try:
            made = CompiledBytes(lathe, path, os.path.join(folder, "out"), flags=flags)
            results = [[] for _ in cases]
            for feeds in step_feeds(cases):
                values = iter(made.run_bytes(feeds))
                for case, result in zip(cases, results):
                    result += [next(values) for _ in case.outputs]
            return [defined(case, result) for case, result in zip(cases, results)]
        except (Refused, RuntimeError, subprocess.CalledProcessError, ValueError) as error:
            if len(cases) == 1:
                failed = Failed("%s: %s" % (type(error).__name__, str(error).strip()))
                failed.clean = isinstance(error, Refused) and error.code in (2, 3, 4)
                return [failed]
    middle = len(cases) // 2
    return compiled_batch(lathe, cases[:middle], flags) + compiled_batch(lathe, cases[middle:],
                                                                         flags)


def oracle_results(python, kind, cases):
    worker = Path(__file__).resolve().parents[1] / "oracle_worker.py"
    jobs = []
    for case in cases:
        data, _ = model_of([case])
        jobs.append((data, list(step_feeds([case])), [tensor.dtype for tensor in case.outputs]))
    results = []
    with tempfile.TemporaryDirectory() as folder:
        while len(results) < len(jobs):
            queue, out = os.path.join(folder, "jobs"), os.path.join(folder, "out")
            with open(queue, "wb") as file:
                pickle.dump(jobs[len(results):], file)
            open(out, "wb").close()
            subprocess.run([python, str(worker), kind, queue, out], capture_output=True,
                           timeout=3600)
            before = len(results)
            with open(out, "rb") as file:
                while True:
                    try:
                        made = pickle.load(file)
                    except EOFError:
                        break
                    results.append(Failed(made) if isinstance(made, str) else made)
            if len(results) < len(jobs):
                results.append(Failed("the oracle ended"))
                if before == 0 and len(results) == 1 and not os.path.exists(python):
                    raise FileNotFoundError(python)
    return [made if isinstance(made, Failed) else defined(case, made)
            for case, made in zip(cases, results)]


def expected_results(tflm, litert, cases):
    """Results of the oracles, and which of them gave each."""
    expected = oracle_results(tflm, "tflm", [c for c in cases if c.oracle is None])
    for i, case in enumerate(cases):
        if case.oracle is not None:
            expected.insert(i, Failed("undefined in TFLite Micro"))
    sources = ["tflm"] * len(cases)
    missing = [i for i, made in enumerate(expected) if isinstance(made, Failed)]
    for kind in ("litert", "litert-optimized") if litert else ():
        mine = [i for i in missing if (cases[i].oracle == "litert-optimized") == (kind != "litert")]
        for i, made in zip(mine, oracle_results(litert, kind, [cases[i] for i in mine]) if mine else ()):
            expected[i], sources[i] = made, kind
    return expected, sources
