#!/usr/bin/env python3
"""Compares TFLite models, compiled to C, with TFLM and, where that cannot run them, with LiteRT:
compare_models.py LATHE [--oracle PYTHON] [--litert PYTHON] [--steps N] MODEL|FOLDER...

Each step has other random inputs; the models keep their state from step to step. Integers have to be
equal in every bit, floats within 1e-6 of the larger of 1 and the value. Prints one line per model. Ends
with 77 where there are no models or no oracle. Needs numpy.
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
from compiled_model import CompiledModel, Refused  # noqa: E402

STEP_ORACLE = pathlib.Path(__file__).with_name("step_oracle.py")
TOLERANCE = 1e-6
SKIPPED = 77


def oracle_steps(arguments, path, folder):
    """The steps of the first oracle that runs the model, and its name."""
    result = os.path.join(folder, "steps")
    for name, python in (("tflm", arguments.oracle), ("litert", arguments.litert)):
        made = subprocess.run([python, STEP_ORACLE, name, path, str(arguments.steps), "7", result],
                              capture_output=True)
        if made.returncode == 0:
            with open(result, "rb") as file:
                return name, pickle.load(file)
    return None, []


def difference(want, got):
    """What differs, or nothing."""
    want = want.ravel()
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


def compare(arguments, path):
    with tempfile.TemporaryDirectory() as folder:
        try:
            model = CompiledModel(arguments.lathe, path, os.path.join(folder, "c"),
                                  target=arguments.target)
        except Refused as refused:
            return "refused", str(refused).strip().splitlines()[0]
        source, steps = oracle_steps(arguments, path, folder)
        if source is None:
            return "no oracle", ""
        for number, (inputs, outputs) in enumerate(steps):
            for k, (want, got) in enumerate(zip(outputs, model.run(inputs), strict=True)):
                found = difference(want, got)
                if found:
                    return "different", "step %d, output %d: %s" % (number, k, found)
        return "equal to " + source, ""


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
