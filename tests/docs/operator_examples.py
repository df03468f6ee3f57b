#!/usr/bin/env python3
"""Compiles and runs the examples of the site's pages of operators: operator_examples.py LATHE [--every N] [--only TEXT]

Each example is compiled to C, built, run and compared with the interpreter by `lathe validate`; those that call what a
program has to provide are compiled, and those that cannot be compiled are checked. --every N takes every N-th example.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/site"))
import operators  # noqa: E402


def problem(lathe, one):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, one.file).write_bytes(one.data)
        words = {"validate": ["validate", one.file, "--cflags", "-O0"], "compile": ["compile", one.file, "-n", "net", "-o", "net"],
                 "check": ["check", one.file]}[one.how]
        done = subprocess.run([lathe] + words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return "" if done.returncode == 0 else "%s (%s): lathe %s ended with %d\n%s" % (one.name, one.kind, " ".join(words), done.returncode, done.stdout[-800:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    lathe = os.path.abspath(options.lathe)
    listed = operators.all_operators(lathe)
    without = ["%s (%s)" % (one.name, one.kind) for one in listed if not one.data and not one.refused]
    shown = [one for one in listed if one.data and options.only in one.name][::options.every]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = list(filter(None, pool.map(lambda one: problem(lathe, one), shown)))
    print("\n".join(wrong + ["without an example: " + name for name in without] + ["%d examples, %d fail" % (len(shown), len(wrong))]))
    return 1 if wrong or without or not shown else 0


if __name__ == "__main__":
    sys.exit(main())
