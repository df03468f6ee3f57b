#!/usr/bin/env python3
"""Compares Relay programs run by Lathe with the results of TVM's executors.

  compare_with_oracle.py LATHE CORPUS [--compile] [--part NAME] [--every N] [--list FILE]

CORPUS is a folder with index.jsonl, one JSON object a line:
  name       NAME.relay holds the text, NAME.npz inputs in0, in1, ... and outputs out0, out1, ...
  accepted   whether TVM reads and types the text
  typed      false for a text that TVM reads, but whose types do not fit or cannot be found
  init       the text needs definitions that stand elsewhere; such texts are left out
  params     the names of main's parameters; inputs and outputs are their structures, "t" for a tensor and a list for a tuple
  fails      the run has to end with an error
  rtol, atol the tolerance of floats; integers are compared exactly
Texts without outputs are only checked. --compile also compiles each program to C and compares it with the interpreter.
Exit code: 0 if all agree or the corpus is absent, 1 otherwise.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    numpy = None

AGREE, WRONG, REFUSED, ACCEPTED, NOT_COMPILED, TIME_LIMIT = (
    "agree", "wrong", "refused", "accepted by mistake", "not compiled", "time limit")


def paths_of(structure, prefix):
    """The names that Lathe gives the tensors of a value, in order."""
    if isinstance(structure, str):
        return [prefix]
    names = []
    for i, field in enumerate(structure):
        names += paths_of(field, f"{prefix}.{i}")
    return names


def run(command, seconds):
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, "", f"not done after {seconds} s"
    return done.returncode, done.stdout, done.stderr


def first_error(text):
    """The first error line, without its place."""
    for line in text.splitlines():
        found = re.search(r"\berror: (.*)", line)
        if found:
            return found[1]
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no message"


def reason_of(message):
    """A message without its names and numbers, so that equal reasons form a group."""
    message = re.sub(r"'[^']*'", "'..'", message)
    return re.sub(r"\b\d+\b", "N", message)[:160]


def difference(got, want, rtol, atol):
    """What differs between two arrays, or None."""
    if got.dtype != want.dtype:
        return f"dtype {got.dtype}, expected {want.dtype}"
    if got.shape != want.shape:
        return f"shape {got.shape}, expected {want.shape}"
    if want.dtype.kind == "f":
        same = numpy.isclose(got.astype("float64"), want.astype("float64"), rtol=rtol, atol=atol, equal_nan=True)
    else:
        same = got == want
    if same.all():
        return None
    where = numpy.argwhere(~same)[0]
    place = tuple(where.tolist())
    return f"{int((~same).sum())} of {same.size} elements differ: {got[place]} at {list(place)}, expected {want[place]}"


# Errors in the types of a text that was read.
TYPE_ERRORS = {"relay-type-mismatch", "relay-cannot-infer", "relay-bad-call", "relay-arity", "relay-unknown-name",
               "relay-not-exhaustive"}


def was_read(case, text):
    """Whether all errors follow the reading: no function to run, or types that TVM does not find either."""
    codes = set(re.findall(r"\berror: .*\[([a-z0-9-]+)\]", text))
    return bool(codes) and codes <= ({"no-entry-point"} | (TYPE_ERRORS if case.get("typed") is False else set()))


class Comparison:
    """Runs the cases of a corpus by one lathe."""

    def __init__(self, options):
        self.options = options

    def path(self, case, suffix):
        return os.path.join(self.options.corpus, case["name"] + suffix)

    def inputs(self, case, folder):
        """Writes the inputs under the names of the parameters; returns the file, or None without parameters."""
        names = []
        for parameter, structure in zip(case["params"], case["inputs"]):
            names += paths_of(structure, parameter)
        if not names:
            return None
        with numpy.load(self.path(case, ".npz")) as arrays:
            named = {name: arrays[f"in{i}"] for i, name in enumerate(names)}
        file = os.path.join(folder, "inputs.npz")
        numpy.savez(file, **named)
        return file

    def check(self, case):
        status, out, err = run([self.options.lathe, "check", self.path(case, ".relay")], self.options.seconds)
        if status is None:
            return TIME_LIMIT, err
        if case["accepted"] and was_read(case, err + out):
            return AGREE, ""
        if case["accepted"]:
            return (AGREE, "") if status == 0 else (REFUSED, first_error(err + out))
        return (AGREE, "") if status in (1, 2, 3) else (ACCEPTED, "the text has to be refused")

    def evaluate(self, case, folder):
        file = self.path(case, ".relay")
        given = self.inputs(case, folder) if case.get("params") else None
        results = os.path.join(folder, "results.npz")
        command = [self.options.lathe, "run", file, "-o", results] + (["--input", given] if given else [])
        status, out, err = run(command, self.options.seconds)
        if status is None:
            return TIME_LIMIT, err
        if case.get("fails"):
            return (AGREE, "") if status != 0 else (ACCEPTED, "the run has to fail")
        if status != 0:
            return REFUSED, first_error(err + out)
        with numpy.load(self.path(case, ".npz")) as want, numpy.load(results) as got:
            for i, name in enumerate(paths_of(case["outputs"], "result")):
                if name not in got:
                    return WRONG, f"no output {name}"
                found = difference(got[name], want[f"out{i}"], case["rtol"], case["atol"])
                if found:
                    return WRONG, f"{name}: {found}"
        if not self.options.compile:
            return AGREE, ""
        command = [self.options.lathe, "validate", file, "--cflags", "-O1", "--rtol", str(max(case["rtol"], 1e-5)), "--atol",
                   str(max(case["atol"], 1e-6))] + (["--data", given] if given else [])
        status, out, err = run(command, self.options.seconds)
        if status is None:
            return TIME_LIMIT, err
        return (AGREE, "") if status == 0 else (NOT_COMPILED, first_error(err + out))

    def __call__(self, case):
        with tempfile.TemporaryDirectory() as folder:
            runs = case.get("fails") or case.get("outputs") is not None and case["accepted"]
            return (case,) + (self.evaluate(case, folder) if runs else self.check(case))


def cases_of(options):
    with open(os.path.join(options.corpus, "index.jsonl"), encoding="utf-8") as index:
        cases = [json.loads(line) for line in index]
    return [c for c in cases if not c.get("init") and (not options.part or c["name"].split("/")[0] in options.part)]


def write_list(file, results):
    """Writes every case that does not agree, grouped by reason, the largest groups first."""
    groups = collections.defaultdict(list)
    for case, verdict, message in results:
        if verdict != AGREE:
            groups[verdict, reason_of(message)].append((case, message))
    for (verdict, reason), members in sorted(groups.items(), key=lambda g: -len(g[1])):
        print(f"\n## {verdict} ({len(members)}): {reason}", file=file)
        for case, message in members:
            print(f"- {case['name']}: {message[:300]}", file=file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lathe")
    parser.add_argument("corpus")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--part", action="append")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th case")
    parser.add_argument("--list", metavar="FILE", help="where the cases that do not agree are listed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=120, help="the limit of one command")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(options.corpus, "index.jsonl")):
        print(f"skipped: no corpus in {options.corpus}")
        return 0
    if numpy is None:
        print("skipped: no numpy")
        return 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(Comparison(options), cases_of(options)[::options.every]))
    table = collections.defaultdict(collections.Counter)
    for case, verdict, _ in results:
        kind = "run" if case.get("outputs") is not None and case["accepted"] else "read" if case["accepted"] else "malformed"
        table[case["name"].split("/")[0], kind][verdict] += 1
    for (part, kind), counts in sorted(table.items()):
        print(f"{part:10} {kind:10} {sum(counts.values()):5}: " + ", ".join(f"{n} {v}" for v, n in counts.most_common()))
    if options.list:
        with open(options.list, "w", encoding="utf-8") as file:
            write_list(file, results)
    else:
        write_list(sys.stdout, results)
    return 0 if all(verdict == AGREE for _, verdict, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
