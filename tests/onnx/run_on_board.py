#!/usr/bin/env python3
"""ONNX's node tests on an emulated board: run_on_board.py LATHE FOLDER [--count N] [--board NAME]

Takes N cases (100) spread evenly over the folder, of those that the interpreter passes, and has
`lathe validate --on qemu:BOARD --data` run each (mps2-an386, a Cortex-M4). Prints those that fail, by what
was said, and how many pass; the exit code is 1 when one fails.
"""
import argparse
import pathlib
import subprocess
import sys


def validate(lathe, case, place):
    words = [lathe, "validate", str(case / "model.onnx"), "--data", str(case), "--on", place, "-q",
             "--diagnostics=short"]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    return run.returncode, (run.stderr.strip().splitlines() or run.stdout.strip().splitlines() or [""])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lathe")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--board", default="mps2-an386")
    given = parser.parse_args()
    cases = sorted(p for p in pathlib.Path(given.folder).iterdir() if (p / "model.onnx").exists())
    step = max(1, len(cases) // (given.count + given.count // 8))
    ran, failed = 0, 0
    for case in cases[::step]:
        if ran == given.count:
            break
        if validate(given.lathe, case, "interp")[0] != 0:
            continue
        ran += 1
        code, said = validate(given.lathe, case, "qemu:" + given.board)
        if code != 0:
            failed += 1
            print("%s: exit code %d: %s" % (case.name, code, said[:200]), flush=True)
    print("%d of %d pass on %s" % (ran - failed, ran, given.board))
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
