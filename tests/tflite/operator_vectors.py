#!/usr/bin/env python3
"""Checks one-operator TFLite models against stored results: operator_vectors.py LATHE [--all]

Without --all, the first cases of each family are checked. Each line of operator_vectors.list names a case, and holds checksums of its model and of the results
that TFLite Micro computed, or LiteRT where TFLite Micro has no kernel. The cases follow from their
names (grid/families.py). --write --oracle PYTHON [--litert PYTHON] [FAMILY...] writes the lines of
all families, or of some, anew, and names the cases that differ.
"""
import argparse
import sys
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from grid.families import FAMILIES, cases_of
from grid.run_cases import Failed, compiled_results, expected_results, model_of

PATH = HERE / "operator_vectors.list"
PER_FAMILY, TRIED = 12, 18
FIRST = 2  # cases of a family that are checked without --all
# Float results that the functions of the C library round differently on other systems.
LIBRARY_FUNCTIONS = {"EXP", "LOG", "SIN", "COS", "ATAN2", "POW", "GELU", "ELU", "TANH", "LOGISTIC",
                     "SOFTMAX", "LOG_SOFTMAX", "LOCAL_RESPONSE_NORMALIZATION",
                     "NON_MAX_SUPPRESSION_V5"}


def checksum(parts):
    crc = 0
    for part in parts:
        crc = zlib.crc32(part, crc)
    return "%08x" % crc


def checksum_of_model(case):
    data, feeds = model_of([case])
    return checksum([data] + feeds)


def portable(case):
    return case.name.split("/")[0] not in LIBRARY_FUNCTIONS or \
        all(output.dtype != "float32" for output in case.outputs)


def write(arguments):
    lines = {}
    for line in PATH.read_text().splitlines() if PATH.exists() else []:
        lines.setdefault(line.split("/")[0], []).append(line)
    names = arguments.families or list(FAMILIES)
    cases = [case for name in names for case in cases_of(name, TRIED) if portable(case)]
    expected, _ = expected_results(arguments.oracle, arguments.litert, cases)
    wanted = [(case, want) for case, want in zip(cases, expected) if not isinstance(want, Failed)]
    made = compiled_results(arguments.lathe, [case for case, _ in wanted], batch=40)
    for name in names:
        lines[name] = []
    for (case, want), got in zip(wanted, made):
        good = lines[case.name.split("/")[0]]
        if want != got:
            print("%s: %s" % (case.name, got if isinstance(got, Failed) else "other results"))
        elif len(good) < PER_FAMILY:
            good.append("%s %s %s" % (case.name, checksum_of_model(case), checksum(want)))
    text = [line for name in FAMILIES for line in lines.get(name, [])]
    PATH.write_text("\n".join(text) + "\n")
    print("wrote %d cases" % len(text))


def check(lathe, every):
    cases, expected, of_family = [], [], {}
    for line in PATH.read_text().splitlines():
        name, model, results = line.split()
        family, number = name.split("/")
        of_family[family] = of_family.get(family, 0) + 1
        if of_family[family] > FIRST and not every:
            continue
        case = cases_of(family, 1, int(number))[0]
        if checksum_of_model(case) != model:
            print("%s: its model changed; write the file anew" % name)
            return 1
        cases.append(case)
        expected.append(results)
    failed = 0
    for case, want, got in zip(cases, expected, compiled_results(lathe, cases, batch=40)):
        if isinstance(got, Failed):
            print("%s: %s" % (case.name, got))
        elif checksum(got) != want:
            print("%s: other results than TFLite" % case.name)
        else:
            continue
        failed += 1
    print("%d passed, %d failed" % (len(cases) - failed, failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--oracle")
    parser.add_argument("--litert")
    parser.add_argument("families", nargs="*")
    arguments = parser.parse_intermixed_args()
    if arguments.write:
        return write(arguments)
    return check(arguments.lathe, arguments.all)


if __name__ == "__main__":
    sys.exit(main())
