#!/usr/bin/env python3
"""Runs TFLite models on emulated boards and compares every output with the interpreter, which
compare_models.py compares with TFLite: models_on_boards.py LATHE [--seeds N] MODEL|FOLDER...

Prints a line per model and board. A model that does not fit a board is skipped there. Ends with 77
where there are no models.
"""
import argparse
import collections
import pathlib
import subprocess
import sys

# The second Cortex-M0 has more memory than any real one.
BOARDS = [("cortex-m0", "mps2-an385"), ("cortex-m4", "mps2-an386"), ("cortex-m55", "mps3-an547"),
          ("rv32imc", "virt")]
TOO_LARGE, NO_TOOLS, SKIPPED = 4, 5, 77


def outcome(arguments, model, target, board):
    for seed in range(1, arguments.seeds + 1):
        made = subprocess.run(
            [arguments.lathe, "validate", model, "-t", target, "--on", "qemu:" + board, "--data",
             "random:seed=%d" % seed], capture_output=True, text=True, timeout=3600)
        if made.returncode == TOO_LARGE:
            return "too large", made.stderr.strip().splitlines()[0]
        if made.returncode == NO_TOOLS:
            return "no tools", made.stderr.strip().splitlines()[0]
        if made.returncode != 0:
            return "different", "seed %d: %s" % (seed, (made.stdout + made.stderr).strip()[-300:])
    return "equal", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--seeds", type=int, default=2)
    arguments = parser.parse_args()
    models = []
    for path in map(pathlib.Path, arguments.models):
        models += sorted(path.glob("*.tflite"), key=lambda m: m.stat().st_size) if path.is_dir() \
            else [path] * path.exists()
    if not models:
        print("skipped: no models in %s" % " ".join(arguments.models))
        return SKIPPED
    totals = collections.Counter()
    for model in models:
        for target, board in BOARDS:
            kind, text = outcome(arguments, str(model), target, board)
            totals[kind] += 1
            print("%s on %s: %s %s" % (model.name, target, kind, text), flush=True)
    print(", ".join("%d %s" % (n, kind) for kind, n in sorted(totals.items())))
    return 1 if totals["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
