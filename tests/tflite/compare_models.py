#!/usr/bin/env python3
"""Compares TFLite models, compiled to C, with TFLM and, where that cannot run them, with LiteRT:
compare_models.py LATHE [--oracle PYTHON] [--litert PYTHON] [--steps N] MODEL|FOLDER...

Each step has other random inputs; the models keep their state from step to step. Integers have to be
equal in every bit, floats within 1e-6 of the larger of 1 and the value. The oracles are TFLM, the
reference kernels of LiteRT, and its optimized kernels, in this order; the line of a model names the first
that is equal, and those before it that differ. Ends with 77 where there are no models or no oracle. Needs
numpy.
"""
import argparse
import collections
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from compiled_model import CompiledModel, Refused, SeveralFunctions  # noqa: E402

STEP_ORACLE = pathlib.Path(__file__).with_name("step_oracle.py")
ORACLES = ("tflm", "litert", "litert-optimized")
TOLERANCE = 1e-6
SKIPPED = 77


def oracle_steps(arguments, name, path, folder):
    """The steps of an oracle; none if it cannot run the model."""
    result = os.path.join(folder, "steps")
    python = arguments.oracle if name == "tflm" else arguments.litert
    made = subprocess.run([python, STEP_ORACLE, name, path, str(arguments.steps), "7", result],
                          capture_output=True)
    if made.returncode != 0:
        return None
    with open(result, "rb") as file:
        return pickle.load(file)


def difference(want, got):
    """What differs, or nothing."""
    want = want.ravel()
    if want.dtype == numpy.complex64:
        want = want.view(numpy.float32)
    if want.dtype == numpy.bool_:
        want = want.astype(numpy.uint8)
    if want.dtype != got.dtype or want.size != got.size:
        return "%s[%d] instead of %s[%d]" % (got.dtype, got.size, want.dtype, want.size)
    if want.dtype == numpy.float32:
        error = numpy.abs(want - got) / numpy.maximum(1, numpy.abs(want))
        error = error[~(numpy.isnan(want) & numpy.isnan(got))]
        return "error of %g" % error.max() if error.size and error.max() > TOLERANCE else None
    wrong = int((want != got).sum())
    return "%d of %d elements differ" % (wrong, want.size) if wrong else None


def differences(steps, path, folder, arguments):
    """The first difference in the steps of an oracle, or nothing. A model of its own: a state begins."""
    model = CompiledModel(arguments.lathe, path, folder, target=arguments.target)
    for number, (inputs, outputs) in enumerate(steps):
        for k, (want, got) in enumerate(zip(outputs, model.run(inputs), strict=True)):
            found = difference(want, got)
            if found:
                return "step %d, output %d: %s" % (number, k, found)
    return None


def compare(arguments, path):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ORACLES:
            steps = oracle_steps(arguments, name, path, folder)
            if steps is None:
                continue
            try:
                text = differences(steps, path, os.path.join(folder, name), arguments)
            except Refused as refused:
                return "refused", str(refused).strip().splitlines()[0]
            except SeveralFunctions:
                return "not compared", "several signatures"
            if text is None:
                return "equal to " + name, "; ".join("differs from " + f for f in found)
            found.append("%s: %s" % (name, text))
        if found:
            return "different", "; ".join(found)
        try:
            CompiledModel(arguments.lathe, path, os.path.join(folder, "c"), target=arguments.target)
        except Refused as refused:
            return "refused", str(refused).strip().splitlines()[0]
        except SeveralFunctions:
            pass
    return "no oracle", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--oracle", default=sys.executable)
    parser.add_argument("--litert", default=sys.executable)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--target", default="generic-c99")
    arguments = parser.parse_args()
    models = []
    for path in map(pathlib.Path, arguments.models):
        models += sorted(path.glob("*.tflite"), key=lambda m: m.stat().st_size) if path.is_dir() \
            else [path] * path.exists()
    known = any(subprocess.run([python, "-c", "import " + module], capture_output=True).returncode == 0
                for python, module in ((arguments.oracle, "tflite_micro"),
                                       (arguments.litert, "ai_edge_litert")))
    if not models or not known:
        print("skipped: " + ("no oracle" if models else "no models in " + " ".join(arguments.models)))
        return SKIPPED
    totals = collections.Counter()
    for path in map(str, models):
        kind, text = compare(arguments, path)
        totals[kind] += 1
        print("%s: %s %s" % (os.path.basename(path), kind, text), flush=True)
    print(", ".join("%d %s" % (n, kind) for kind, n in sorted(totals.items())))
    return 1 if totals["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
