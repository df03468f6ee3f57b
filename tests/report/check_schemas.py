#!/usr/bin/env python3
"""The JSON of analyze, diff, doctor, fit and profile follows docs/schemas/: check_schemas.py LATHE"""
import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import schema

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ["hello_add/hello_add.py", "mlp/mlp.py", "cnn/cnn.py", "forest/forest.relay", "control_flow/control_flow.py",
           "recursion/recursion.py", "symbolic_batch/symbolic_batch.py", "closures/closures.py", "values/values.py"]


def load(name):
    return json.loads((ROOT / "docs/schemas" / (name + ".schema.json")).read_text())


def document(words):
    """The output of the command, which must be one JSON document without NaN."""
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise SystemExit("%s: exit code %d\n%s" % (" ".join(words), ran.returncode, ran.stderr))

    def refuse(constant):
        raise ValueError("%s is no JSON" % constant)

    return json.loads(ran.stdout, parse_constant=refuse)


# Samples whose runs can be cut into steps.
IN_STEPS = ["hello_add", "mlp", "cnn"]


def profiles(path, folder):
    """The words of `lathe profile` for a log, if the sample has hooks."""
    if pathlib.Path(path).stem not in IN_STEPS:
        return ()
    log = folder / "steps.log"
    log.write_text("boot\nstep 0 17\nstep 0 19\n")
    return (("profile", [path, "--json", "--from", str(log)]),)


def broken(value, rules):
    """Documents with one mistake each, which the schema must reject."""
    for change in (lambda d: d.update(schema_version=2), lambda d: d.update(more=1), lambda d: d.pop(next(iter(rules["required"])))):
        bad = copy.deepcopy(value)
        change(bad)
        yield bad


def main():
    lathe = sys.argv[1]
    wrong = []
    count = 0
    folder = pathlib.Path(tempfile.mkdtemp())
    rules = load("doctor")
    machine = document([lathe, "doctor", "--json"])
    wrong += ["doctor: %s" % problem for problem in schema.problems(machine, rules, rules)]
    there = {tool["name"]: tool["found"] for tool in machine["tools"]}
    for name, found in there.items():
        if found != (shutil.which(name) is not None) and name != "nvcc":
            wrong.append("doctor: '%s' is %s" % (name, "found" if found else "missing"))
    for bad in broken(machine, rules):
        if not list(schema.problems(bad, rules, rules)):
            wrong.append("doctor: the schema accepts a wrong document")
    for sample in SAMPLES:
        path = str(ROOT / "samples" / sample)
        for verb, words in (("analyze", [path, "--json"]), ("analyze", [path, "--format", "json", "-t", "cortex-m4f"]),
                            ("analyze", [path, "--json", "--explain-peak"]), ("fit", [path, "--json", "--no-cc"]),
                            ("diff", [path, "-t", "generic-c99", "-t", "x86-64-v3", "--json"])) + profiles(path, folder):
            rules = load(verb)
            value = document([lathe, verb] + words)
            wrong += ["%s %s: %s" % (verb, sample, problem) for problem in schema.problems(value, rules, rules)]
            count += 1
            for bad in broken(value, rules):
                if not list(schema.problems(bad, rules, rules)):
                    wrong.append("%s %s: the schema accepts a wrong document" % (verb, sample))
    shutil.rmtree(folder)
    print("\n".join(wrong + ["%d documents, %d problems" % (count, len(wrong))]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
