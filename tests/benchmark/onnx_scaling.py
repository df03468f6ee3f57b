#!/usr/bin/env python3
"""How reading and compiling ONNX grows with the model: onnx_scaling.py LATHE [--quick]

Writes models of 25,000 to 100,000 nodes, checks and compiles each, and prints time and memory: chains of
several operators, of one that clamps, and of one that only moves elements, and one operator that puts
together what all others make. A program that was built for release needs less than 20 s and 1 GiB for
100,000 nodes, and no more than 2.6 times as much for twice as many; where it does not, the exit code is 1.
--quick: 2,000 to 8,000, and no limits on seconds: for a program that was not built for speed.
"""
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hostile"))
from onnx_bytes import FLOAT, chunk, graph, info, model, node  # noqa: E402

MOST_SECONDS, MOST_MIB, MOST_RATIO = 20, 1024, 2.6


def chain(*operators):
    """Layers one after another, as the deepest model has them."""
    def made(count):
        nodes = [node(operators[i % len(operators)], ["x" if i == 0 else "t%d" % (i - 1)], ["t%d" % i],
                      "n%d" % i) for i in range(count)]
        return model(graph(nodes, [info("x", FLOAT, (2, 2))], [chunk(1, "t%d" % (count - 1))]))
    return made


def put_together(count):
    pieces = count // 2
    nodes = [node("Sin", ["x"], ["s%d" % i], "s%d" % i) for i in range(pieces)]
    nodes += [node(("Neg", "Cos", "Exp")[i % 3], ["s%d" % i], ["t%d" % i], "n%d" % i) for i in range(pieces)]
    nodes.append(node("Concat", ["t%d" % i for i in range(pieces)], ["y"], "all", axis=0))
    return model(graph(nodes, [info("x", FLOAT, (2, 2))], [chunk(1, "y")]))


MODELS = {"layers": chain("Relu", "Neg", "Abs", "Sigmoid"), "clamps": chain("Relu"),
          "moves": chain("Transpose"), "concat": put_together}


def measured(words):
    """Seconds and MiB at the most."""
    begin = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit("%s: exit code %d" % (" ".join(words), child.returncode))
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def main():
    lathe = sys.argv[1]
    quick = "--quick" in sys.argv[2:]
    failed, before = False, {}
    print("%-8s %8s %-8s %8s %6s %6s" % ("model", "nodes", "verb", "seconds", "ratio", "MiB"))
    for name, count in itertools.product(MODELS, (2000, 4000, 8000) if quick else (25000, 50000, 100000)):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.onnx"
            path.write_bytes(MODELS[name](count))
            for verb, words in (("check", []), ("compile", ["-o", folder, "-n", "chain"])):
                seconds, mib = measured([lathe, verb, str(path), "-q"] + words)
                ratio = seconds / before[name, verb] if (name, verb) in before else 0
                before[name, verb] = seconds
                print("%-8s %8d %-8s %8.2f %6s %6d"
                      % (name, count, verb, seconds, "%.2f" % ratio if ratio else "", mib), flush=True)
                failed |= ratio > MOST_RATIO and seconds > 1
                failed |= not quick and (seconds > MOST_SECONDS or mib > MOST_MIB)
    print("too slow, or too large" if failed else "fine")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
