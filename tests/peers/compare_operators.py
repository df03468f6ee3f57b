#!/usr/bin/env python3
"""Gives random programs of one operator to `lathe run` and to TVM's virtual machine, and compares.

    compare_operators.py --lathe build/fast/bin/lathe [--seed N] [--count N] [--only TEXT]

Needs a Python with apache-tvm 0.26 and numpy. Programs that TVM refuses are replaced by others and
do not count. Differences that explained.list explains are counted apart; the exit code is 1 where
one is left. See README.md.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True  # no folder next to the sources
import cases_elementwise
import cases_neural
import cases_reduce
import cases_shape
import cases_windows
from program import Program
from tvm_worker import TvmWorker

HERE = pathlib.Path(__file__).parent
TOLERANCE = {"float64": 1e-7, "float32": 2e-5, "float16": 4e-3, "bfloat16": 3e-2}
SYMBOLIC = 0.2  # the share of programs with a size that is bound at run time
ATTEMPTS = 20  # how many programs are drawn in the place of one that TVM refuses


def all_cases():
    cases = {}
    for family in (cases_elementwise, cases_shape, cases_reduce, cases_neural, cases_windows):
        cases.update(family.CASES)
    return cases


def draw(cases, operator, seed):
    program = Program(operator, seed)
    program.call = cases[operator](program)
    if program.chance(SYMBOLIC):
        program.make_symbolic()
    return program


def run_lathe(binary, folder, program):
    """("ran", arrays) or ("refused", the first line of its message)."""
    source, given, result = folder / "program.py", folder / "in.npz", folder / "out.npz"
    source.write_text(program.text())
    np.savez(given, **program.inputs())
    inputs = ["--input", str(given)] if program.arrays else []
    done = subprocess.run([binary, "run", str(source), *inputs, "-o", str(result), "--diagnostics=short"],
                          capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        lines = done.stderr.replace(str(folder), "").strip().splitlines()
        return "refused", f"exit {done.returncode}: " + (lines[0] if lines else "")
    with np.load(result) as arrays:
        return "ran", [arrays[name] for name in arrays.files]


def rows_counted(arrays):
    count = int(arrays[-1].reshape(-1)[0])
    return [array[:count] for array in arrays[:-1]] + arrays[-1:]


def difference(got, wanted, program):
    """What differs between two lists of arrays, or None."""
    if len(got) != len(wanted):
        return f"{len(got)} results, TVM gives {len(wanted)}"
    if program.rows_in_last:
        got, wanted = rows_counted(got), rows_counted(wanted)
    for i, (ours, theirs) in enumerate(zip(got, wanted)):
        which = f"result {i}: " if len(got) > 1 else ""
        if ours.dtype != theirs.dtype:
            return f"{which}dtype {ours.dtype}, TVM gives {theirs.dtype}"
        if ours.shape != theirs.shape:
            return f"{which}shape {ours.shape}, TVM gives {theirs.shape}"
        tolerance = TOLERANCE.get(ours.dtype.name, 0) * program.slack
        if ours.dtype.name.startswith("float8"):
            tolerance = 0
        a, b = (ours, theirs) if not tolerance and ours.dtype.kind in "iub" else \
            (ours.astype("float64"), theirs.astype("float64"))
        same = a == b if not tolerance else np.isclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
        if not np.all(same):
            at = tuple(map(int, np.argwhere(~np.atleast_1d(same))[0])) if a.ndim else ()
            return f"{which}{int(np.sum(~same))} of {a.size} values, at {list(at)} {ours[at]}, TVM gives {theirs[at]}"
    return None


def read_explanations():
    """(operator, pattern of the difference, reason) by line of explained.list."""
    entries = []
    for line in (HERE / "explained.list").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            operator, pattern, reason = (part.strip() for part in line.split(" | ", 2))
            entries.append((re.compile(operator), re.compile(pattern), reason))
    return entries


class Comparison:
    """Counts by operator, and the differences found."""

    def __init__(self, options):
        self.options = options
        self.cases = all_cases()
        self.tvm = TvmWorker()
        self.explanations = read_explanations()
        self.counts = collections.defaultdict(collections.Counter)
        self.refusals = {}  # by operator and what TVM says, digits left out: how often, an example
        self.differences = []
        self.used = collections.Counter()

    def explained(self, operator, what):
        for i, (name, pattern, _) in enumerate(self.explanations):
            if name.fullmatch(operator) and pattern.search(what):
                self.used[i] += 1
                return True
        return False

    def compare(self, folder, operator, seed):
        """Whether TVM ran the program, and so it counts."""
        program = draw(self.cases, operator, seed)
        count = self.counts[operator]
        state, wanted = self.tvm.run(program.text(), program.arrays)
        if state != "ran":
            count["TVM " + state] += 1
            kind = f"{operator}: TVM {state}: " + re.sub(r"\d+", "N", wanted)[:150]
            times, example = self.refusals.get(kind, (0, program.summary()))
            self.refusals[kind] = (times + 1, example)
            return False
        state, got = run_lathe(self.options.lathe, folder, program)
        if state == "refused":
            found = "lathe refuses: " + got
        else:
            found = difference(got, wanted, program)
        if found is None:
            count["same"] += 1
            return True
        what = f"{program.summary()}: {found}"
        if self.explained(operator, what):
            count["explained"] += 1
        else:
            count["refused" if state == "refused" else "different"] += 1
            self.differences.append(f"{seed}: {what}")
            print("DIFFERENT", self.differences[-1], flush=True)
        return True

    def run(self, folder):
        names = [n for n in sorted(self.cases) if self.options.only in n]
        done, turn = 0, 0
        while done < self.options.count and names:
            for operator in list(names):
                for attempt in range(ATTEMPTS):
                    if self.compare(folder, operator, f"{self.options.seed}:{operator}:{turn}:{attempt}"):
                        done += 1
                        break
                else:
                    names.remove(operator)  # TVM runs none of them
                if done == self.options.count:
                    break
            turn += 1

    def report(self):
        columns = ("same", "explained", "different", "refused", "TVM refused", "TVM crashed")
        print(f"{'operator':44}" + "".join(f"{c:>13}" for c in columns))
        total = collections.Counter()
        for operator, count in sorted(self.counts.items()):
            print(f"{operator:44}" + "".join(f"{count[c]:13}" for c in columns))
            total.update(count)
        print(f"{'all ' + str(len(self.counts)):44}" + "".join(f"{total[c]:13}" for c in columns))
        if self.options.refusals:
            for kind, (times, example) in sorted(self.refusals.items()):
                print(f"not counted ({times}): {kind}: {example}")
        for i, (name, pattern, reason) in enumerate(self.explanations):
            if self.used[i]:
                print(f"explained ({self.used[i]}): {name.pattern} | {pattern.pattern} | {reason}")
        compared = sum(total[c] for c in columns[:4])
        print(f"{compared} programs compared, {len(self.differences)} unexplained differences")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--lathe", required=True, help="the program to compare")
    parser.add_argument("--seed", default="1", help="what the programs are drawn from (1)")
    parser.add_argument("--count", type=int, default=2000, help="how many programs (2000)")
    parser.add_argument("--only", default="", help="only operators whose name has this text")
    parser.add_argument("--refusals", action="store_true", help="list what TVM refuses, too")
    parser.add_argument("--show", metavar="SEED", help="print the program of this seed and stop")
    options = parser.parse_args()
    if options.show:
        print(draw(all_cases(), options.show.split(":")[1], options.show).text())
        return 0
    comparison = Comparison(options)
    with tempfile.TemporaryDirectory() as folder:
        comparison.run(pathlib.Path(folder))
    comparison.report()
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
