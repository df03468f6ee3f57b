#!/usr/bin/env python3
"""Compares one-operator TFLite models with an oracle, byte for byte:
operator_grid.py LATHE --oracle PYTHON [--litert PYTHON] [--count N] [--special] [NAME...]

The oracle is TFLite Micro; LiteRT's reference kernels where TFLite Micro has no kernel for a case.
oracle_differences.list lists what differs on purpose. Ends with 77 where the oracle is not installed.
"""
import argparse
import collections
import math
import re
import struct
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from grid.families import FAMILIES, cases_of
from grid.maker import CODES
from grid.run_cases import Failed, compiled_results, expected_results


def known_differences():
    """Patterns of case names with tolerances: of floats relative to the largest, of integers in
    units; '-' allows anything."""
    lines = (HERE / "oracle_differences.list").read_text().splitlines()
    rows = [line.split()[:2] for line in lines if line and not line.startswith("#")]
    return [(re.compile(pattern + "$"), math.inf if limit == "-" else float(limit))
            for pattern, limit in rows]


def numbers(tensor, data):
    code = CODES[tensor.dtype]
    return struct.unpack("<%d%s" % (len(data) // struct.calcsize(code), code), data)


def allowed(listed, case, want, got):
    limits = [limit for pattern, limit in listed if pattern.match(case.name)]
    if not limits:
        return False
    if math.inf in limits:
        return True
    if isinstance(got, Failed):
        return False
    for tensor, a, b in zip(case.outputs * case.steps, want, got):
        x, y = numbers(tensor, a), numbers(tensor, b)
        unit = max(map(abs, x), default=0) if tensor.dtype in ("float32", "complex64") else 1
        if len(x) != len(y) or any(abs(p - q) > max(limits) * unit for p, q in zip(x, y)):
            return False
    return True


def same(case, want, got):
    """Whether all bytes are equal; NaN have one value."""
    def value(tensor, data):
        if tensor.dtype not in ("float32", "complex64"):
            return data
        return b"".join(struct.pack("<f", math.nan if math.isnan(x) else x)
                        for x in numbers(tensor, data))
    return len(want) == len(got) and all(a == b or value(t, a) == value(t, b)
                                         for t, a, b in zip(case.outputs, want, got))


def installed(python, module):
    return python and subprocess.run([python, "-c", "import " + module],
                                     capture_output=True).returncode == 0


def compare(arguments, names):
    listed = known_differences()
    totals = collections.Counter()
    for name in names:
        cases = cases_of(name, arguments.count, special=arguments.special)
        expected, sources = expected_results(arguments.oracle, arguments.litert, cases)
        computed = [case for case, want in zip(cases, expected)
                    if arguments.all or not isinstance(want, Failed)]
        made = dict(zip(map(id, computed), compiled_results(arguments.lathe, computed)))
        made = [made.get(id(case), Failed("not compiled")) for case in cases]
        found = collections.Counter()
        for case, want, got, source in zip(cases, expected, made, sources):
            if isinstance(want, Failed):
                kind = "no oracle" if not isinstance(got, Failed) or got.clean else "failed"
                if arguments.verbose:
                    print("  %s %s: %s" % (case.name, describe(case), want))
            elif isinstance(got, Failed):
                kind = "listed" if allowed(listed, case, want, got) else "refused"
            elif same(case, want, got):
                kind = "equal to " + source
            else:
                kind = "listed" if allowed(listed, case, want, got) else "different"
            found[kind] += 1
            if kind in ("refused", "different", "failed") and (arguments.verbose or found[kind] <= 3):
                print("  %s %s (%s): %s" % (case.name, describe(case), source,
                                            difference(case, want, got)))
        totals.update(found)
        print("%s: %s" % (name, ", ".join("%d %s" % (n, k) for k, n in sorted(found.items()))),
              flush=True)
    print("all: " + ", ".join("%d %s" % (n, k) for k, n in sorted(totals.items())))
    return totals


def describe(case):
    text = lambda t: "-" if t is None else "%s%s" % (t.dtype, t.shape)
    return "%s -> %s" % (" ".join(map(text, case.operator.inputs)),
                         " ".join(map(text, case.outputs)))


def difference(case, want, got):
    if isinstance(got, Failed):
        return str(got)[:300]
    for k, (a, b) in enumerate(zip(want, got)):
        if len(a) != len(b):
            return "output %d has %d bytes instead of %d" % (k, len(b), len(a))
        tensor = case.outputs[k % len(case.outputs)]
        x, y = numbers(tensor, a), numbers(tensor, b)
        n = len(x)
        places = [i for i in range(n) if x[i] != y[i]]
        if places:
            return "output %d differs at %d of %d, first %d: %s instead of %s" % (
                k, len(places), n, places[0], y[places[0]], x[places[0]])
    return "the same values"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    parser.add_argument("--oracle", default="python3")
    parser.add_argument("--litert")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--special", action="store_true",
                        help="with zeros, halves, tiny and large numbers, and the ends of ranges")
    parser.add_argument("--all", action="store_true",
                        help="compile the cases without an oracle too; each ends with a diagnostic or "
                        "compiles")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_intermixed_args()
    if not installed(arguments.oracle, "tflite_micro.python.tflite_micro.runtime"):
        print("skipped: %s has no tflite_micro" % arguments.oracle)
        return 77
    if arguments.litert and not installed(arguments.litert, "ai_edge_litert.interpreter"):
        arguments.litert = None
    totals = compare(arguments, arguments.names or list(FAMILIES))
    return 1 if totals["refused"] or totals["different"] or totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
