#!/usr/bin/env python3
"""Breaks a model of each operator in six ways and checks the exit code and the message:
malformed_operators.py LATHE

The models are the first cases of the families of operator_grid.py. A table below has the expected
message of each way, and of the operators that answer otherwise.
"""
import argparse
import copy
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from grid.families import FAMILIES, cases_of
from grid.run_cases import model_of
from model_writer import Tensor, options

EXIT_CODES = {"malformed": 2, "bad-operator": 2, "unsupported": 3, "unsupported-operator": 3,
              "limit": 4}
DEFINITIONS = HERE.parents[1] / "generator/reader/tflite/ops/operators.def"
LSTM_OPTIONS, ADD_OPTIONS = 14, 11


def rows():
    """(code, option table, needed inputs) by the name of the operator."""
    text = DEFINITIONS.read_text()
    found = {name: (int(code), int(table), int(needed)) for code, name, table, needed in
             re.findall(r'TFLITE_OP\((\d+), "(\w+)", (-?\d+), (\d+),', text)}
    found.update({name: (32, 0, int(needed)) for name, needed in
                  re.findall(r'TFLITE_CUSTOM\("(\w+)", (\d+),', text)})
    return found


def first_cases():
    """A case of each operator, by name."""
    names = {code: name for name, (code, _, _) in rows().items() if code != 32}
    found = {}
    for family in FAMILIES:
        case = cases_of(family, 1)[0]
        found.setdefault(case.operator.custom or names[case.operator.code], family)
    return found


def changed_result(case, **values):
    result = case.outputs[0]
    other = copy.copy(result)
    for key, value in values.items():
        setattr(other, key, value)
    case.outputs[0] = case.operator.outputs[0] = other


def missing_input(case, row):
    if row[2] == 0:
        return False
    case.operator.inputs = case.operator.inputs[:row[2] - 1]
    kept = {id(t) for t in case.operator.inputs}
    case.feeds = [t for t in case.feeds if id(t) in kept]
    return True


def absent_input(case, row):
    """-1 where the operator needs an input."""
    if row[2] == 0:
        return False
    gone = case.operator.inputs[0]
    case.operator.inputs = [None] + case.operator.inputs[1:]
    if all(t is not gone for t in case.operator.inputs):
        case.feeds = [t for t in case.feeds if t is not gone]
    return True


def another_result(case, row):
    case.outputs = case.operator.outputs = case.operator.outputs + [Tensor("more", [3, 1, 4])]
    return True


def other_shape(case, row):
    if 0 in case.outputs[0].shape:  # results without elements take any shape without elements
        return False
    changed_result(case, shape=case.outputs[0].shape + [7])
    return True


def other_type(case, row):
    changed_result(case, dtype="complex64", scale=None, zero=None)
    return True


def other_options(case, row):
    if row[1] == 0 or case.bodies:  # operators without options ignore them
        return False
    case.operator.options = options(LSTM_OPTIONS if row[1] == ADD_OPTIONS else ADD_OPTIONS)
    return True


WAYS = {
    "missing input": (missing_input, r"bad-operator.*", r"input \d+ is missing"),
    "absent input": (absent_input, r"bad-operator.*", r"input 0 is missing"),
    "another result": (another_result, r"bad-operator|unsupported", r"results?\b|equal parts"),
    "other shape": (other_shape, r"bad-operator|unsupported", r"shape|dimension|elements|size|result|"
                    r"computes|batch|image|axes|channels|values|rows|row|must be|needs"),
    "other type": (other_type, r"bad-operator|unsupported|malformed", r"complex64"),
    "other options": (other_options, r"malformed", r"options of another operator"),
}


def broken_models():
    for name, family in first_cases().items():
        row = rows()[name]
        for way, (change, codes, part) in WAYS.items():
            case = cases_of(family, 1)[0]
            if change(case, row):
                yield "%s, %s" % (name, way), name, model_of([case])[0], codes, part


def check(lathe, folder, numbered):
    number, (title, name, data, codes, part) = numbered
    path = pathlib.Path(folder, "%d.tflite" % number)
    path.write_bytes(data)
    made = subprocess.run([lathe, "check", str(path)], capture_output=True, text=True, timeout=60)
    # Rules of the operators of the graph answer for some.
    answer = re.sub(r"\[op-argument-[a-z]+\]", "[tflite-bad-operator]", made.stderr)
    found = re.findall(r"\[tflite-([a-z-]+)\]", answer)
    good = found and re.fullmatch(codes, found[0]) and re.search(part, made.stderr) and \
        made.returncode == max(EXIT_CODES[code] for code in found) and name in made.stderr
    return None if good else "%s: exit code %d, expected %s with '%s':\n%s" % (
        title, made.returncode, codes, part, made.stderr.strip()[:400])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda numbered: check(arguments.lathe, folder, numbered),
                                enumerate(broken_models())))
    failures = [answer for answer in answers if answer]
    print("\n".join(failures + ["%d passed, %d failed" % (len(answers) - len(failures), len(failures))]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
