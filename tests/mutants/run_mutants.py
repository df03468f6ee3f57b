#!/usr/bin/env python3
"""Runs the fast tests once for each fault of mutants.table, until one fails: run_mutants.py BUILD [--only 3,17]

BUILD is a build folder of the preset `mutants`. The test that found the fault in an earlier run of the same --report
comes first, then those of the row's `look`, then all fast tests as ctest knows them. Prints what found each
fault, and the faults that nothing finds. Ends with 1 when more than --allow survive.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import mutate


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="", help="numbers, with commas between them")
    parser.add_argument("--report", type=pathlib.Path, help="a JSON file that keeps what found each fault")
    parser.add_argument("--first", action="store_true", help="run no more than those tests that come first")
    parser.add_argument("--allow", type=int, default=3, help="how many may survive")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=1800, help="for the tests of one fault")
    return parser.parse_args()


class Tests:
    def __init__(self, options):
        self.build = options.build.resolve()
        self.options = options

    def environment(self, number):
        return {**os.environ, "LATHE_MUTANT": str(number), "GTEST_FAIL_FAST": "1", "GTEST_BRIEF": "1"}

    def run(self, words, number):
        try:
            done = subprocess.run(words, cwd=self.build, env=self.environment(number), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", check=False, timeout=self.options.seconds)
        except subprocess.TimeoutExpired:
            return 124, "took too long"
        return done.returncode, done.stdout

    def filtered(self, gtest_filter, number):
        """What fails among the tests of lathe_test with these names; None where nothing does."""
        code, said = self.run([str(self.build / "bin" / "lathe_test"), f"--gtest_filter={gtest_filter}"], number)
        if code == 0:
            return None
        failed = re.findall(r"^\[  FAILED  \] (\S+?),? ", said, re.MULTILINE)
        return failed[0] if failed else f"lathe_test --gtest_filter={gtest_filter} ended with {code}"

    def everything(self, number):
        code, said = self.run(["ctest", "--stop-on-failure", "--output-on-failure", "-j", str(self.options.jobs), "-LE", "style"], number)
        if code == 0:
            return None
        gtest = re.findall(r"\[  FAILED  \] (\S+?),? ", said)
        ctest = re.findall(r"Test\s+#\d+: (\S+) \.+\**\s*(?:\*\*\*)?(?:Failed|Exception|Timeout|Subprocess)", said)
        return gtest[0] if gtest else "ctest " + (ctest[0] if ctest else said[-300:])

    def find(self, number, known, look):
        """What finds the fault."""
        for gtest_filter in (known, look):
            if gtest_filter and not gtest_filter.startswith("ctest"):
                found = self.filtered(gtest_filter, number)
                if found:
                    return found
        return None if self.options.first else self.everything(number)


def main():
    options = read_options()
    tests = Tests(options)
    chosen = {int(number) for number in options.only.split(",") if number}
    before = json.loads(options.report.read_text()) if options.report and options.report.exists() else {}
    report, survivors = dict(before), []
    mutants = [row for row in mutate.mutants() if not chosen or row[0] in chosen]
    for number, path, fault, *_, look in mutants:
        started = time.monotonic()
        found = tests.find(number, before.get(str(number), ""), look)
        report[str(number)] = found or ""
        if not found:
            survivors.append(number)
        print(f"{number:3} {time.monotonic() - started:6.0f} s  {found or 'SURVIVES':60} {path.name}: {fault}", flush=True)
        if options.report:
            options.report.write_text(json.dumps(report, indent=1) + "\n")
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} faults found" + (f"; not {survivors}" if survivors else ""))
    return 1 if len(survivors) > options.allow else 0


if __name__ == "__main__":
    sys.exit(main())
