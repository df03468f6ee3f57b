#!/usr/bin/env python3
"""Compares what two builds of lathe write, byte for byte: compare_builds.py LATHE OTHER [--random LATHE_RANDOM]

The output must not depend on the compiler that built lathe. Inputs: the samples, the programs of tests/validate,
random programs, and models of --models. Each is compiled for each target by
both builds. Files, diagnostics and exit codes must be equal. Ends with 77 where OTHER does not exist.
"""
import argparse
import concurrent.futures
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ["generic-c99", "x86-64-v3", "x86-64-v4", "aarch64", "cortex-m0", "cortex-m3", "cortex-m4", "cortex-m55",
           "rv32imc", "avr8", "cuda:sm_80", "cuda:sm_90a"]
SECTION = re.compile(r"^-- (\S+\.py) --\n(.*?)(?=^-- )", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"^# from tvm.script import ir as I\n", re.MULTILINE)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("--random", type=Path, help="lathe_random, which prints programs")
    parser.add_argument("--count", type=int, default=200, help="random programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=Path, nargs="*", default=[], help="folders of .onnx and .tflite files")
    parser.add_argument("--targets", nargs="*", default=TARGETS)
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def write_inputs(options, folder):
    """The files to compile; those that are parts of other files are written to `folder`."""
    inputs = sorted(path for path in (ROOT / "samples").glob("*/*") if path.suffix in (".py", ".relay", ".onnx", ".tflite"))
    for case in sorted((ROOT / "tests" / "validate").glob("*.txt")):
        for name, text in SECTION.findall(case.read_text()):
            inputs.append(folder / (case.stem + "_" + name))
            inputs[-1].write_text(text)
    if options.random:
        printed = subprocess.run([options.random, "--count", str(options.count), "--seed", str(options.seed), "--rows", "1", "--print"],
                                 capture_output=True, text=True, check=False).stdout
        for number, text in enumerate(PROGRAM.split(printed)[1:]):
            inputs.append(folder / ("random_%d.py" % number))
            inputs[-1].write_text(text)
    for models in options.models:
        inputs += sorted(path for path in models.glob("*") if path.suffix in (".onnx", ".tflite"))
    return inputs


def written(lathe, path, target, out):
    """The exit code, the diagnostics and the files of one compilation."""
    ran = subprocess.run([lathe, "compile", path, "-t", target, "-o", out, "--name", "model"], capture_output=True, check=False)
    files = {}
    if out.exists():
        files = {str(file.relative_to(out)): file.read_bytes() for file in sorted(out.rglob("*")) if file.is_file()}
        shutil.rmtree(out)
    return ran.returncode, ran.stderr, ran.stdout.replace(bytes(out), b"OUT"), files


def difference(options, path, target, folder):
    """What differs between the two builds, or None."""
    where = folder / ("%s_%s" % (path.stem, target.replace(":", "_")))
    one = written(options.lathe, path, target, Path(str(where) + "_a"))
    two = written(options.other, path, target, Path(str(where) + "_b"))
    if one == two:
        return None, len(one[3])
    if one[0] != two[0]:
        return "exit codes %d and %d" % (one[0], two[0]), 0
    names = [name for name in {**one[3], **two[3]} if one[3].get(name) != two[3].get(name)]
    return ", ".join(names) or "the printed text", 0


def main():
    options = read_options()
    if not options.other.exists():
        print("skipped: there is no second build at", options.other)
        return 77
    bad = files = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = write_inputs(options, folder)
        pairs = [(path, target) for path in inputs for target in options.targets]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = pool.map(lambda pair: difference(options, *pair, folder), pairs)
            for (path, target), (found, count) in zip(pairs, results):
                files += count
                if found:
                    bad += 1
                    print("%s, %s: %s" % (path.name, target, found))
    print("%d inputs for %d targets, %d files: %d differ" % (len(inputs), len(options.targets), files, bad))
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
