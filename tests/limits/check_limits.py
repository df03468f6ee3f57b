#!/usr/bin/env python3
"""Every stated limit: check_limits.py LATHE [--seconds S] [--mib M] [--only TEXT]

Compiles, checks or runs a program at each limit and one above it: the first is taken, the second refused with
exit code 4 or what is said here, in a message that is named; both within S seconds of processor time (10) and M
MiB (1024). Every constant of generator/ that is called kMax... is a row of limits_of_programs.py, or
is listed in other_limits.list with the reason why it has no row: nothing is rejected by it, or another test covers it.
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import limits_of_programs

ROOT = pathlib.Path(__file__).resolve().parents[2]


def constants():
    """Name and file of each constant that says how much there may be."""
    found = set()
    for path in sorted((ROOT / "generator").rglob("*.[hc]*")):
        text = path.read_text()
        for declaration in re.findall(r"constexpr [\w:]+ (k(?:Max|Most)\w+ = [^;]+;)", text):
            for name in re.findall(r"\b(k(?:Max|Most)[A-Z]\w*) =", declaration):
                found.add((path.relative_to(ROOT / "generator").as_posix(), name))
    return found


def others():
    """The same of the list, and the tests that its lines name."""
    listed, problems = {}, []
    for number, line in enumerate((ROOT / "tests/limits/other_limits.list").read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split(None, 2)
        if len(words) != 3:
            problems.append("other_limits.list:%d: wants a file, a constant and a reason" % number)
            continue
        listed[(words[0], words[1])] = words[2]
        test = re.match(r"test: (\S+)", words[2])
        if test and not (ROOT / "tests" / test.group(1)).exists():
            problems.append("other_limits.list:%d: there is no tests/%s" % (number, test.group(1)))
    return listed, problems


def unlisted(rows):
    """What is said twice, not at all, or of what is not there."""
    listed, problems = others()
    here = constants()
    tested = {(row.file, row.constant) for row in rows}
    for file, name in sorted(here - tested - set(listed)):
        problems.append("%s of generator/%s has no row and no reason" % (name, file))
    for file, name in sorted((tested | set(listed)) - here):
        problems.append("%s of generator/%s is not there" % (name, file))
    for file, name in sorted(tested & set(listed)):
        problems.append("%s of generator/%s is tested and has a reason why not" % (name, file))
    for row in rows:
        text = (ROOT / "generator" / row.file).read_text()
        said = re.search(r"\b%s = ([^;,]+)[;,]" % row.constant, text)
        if said and row.value_of(said.group(1)) != row.most:
            problems.append("%s of generator/%s is %s, and is tested with %d" % (row.constant, row.file,
                                                                                 said.group(1), row.most))
    return problems


def run(words, folder):
    """Exit code, what is printed, seconds of processor time, MiB at the most."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(words, cwd=folder, stdout=out, stderr=subprocess.STDOUT, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode(errors="replace")
    return child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lathe")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--mib", type=float, default=1024)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    lathe = str(pathlib.Path(given.lathe).resolve())
    rows = limits_of_programs.rows()
    problems = unlisted(rows)
    most_seconds = most_mib = 0
    for row in rows:
        if given.only not in row.constant:
            continue
        for above in (False, True):
            with tempfile.TemporaryDirectory() as work:
                folder = pathlib.Path(work)
                row.write(folder, row.most + above)
                code, text, seconds, mib = run([lathe] + row.words, folder)
            most_seconds, most_mib = max(most_seconds, seconds), max(most_mib, mib)
            where = "%s, %s: " % (row.constant, "above" if above else "at the limit")
            wanted = row.codes if above else (0,)
            if code not in wanted:
                problems.append("%sexit code %d, not %s: %s" % (where, code, wanted, text[-600:]))
            elif above and row.says not in text:
                problems.append("%sthe message does not say %r: %s" % (where, row.says, text[-600:]))
            if seconds > given.seconds or mib > given.mib:
                problems.append("%s%.1f s and %.0f MiB" % (where, seconds, mib))
    print("\n".join(problems))
    print("%d limits, %d problems; at most %.1f s and %.0f MiB" % (len(rows), len(problems), most_seconds, most_mib))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
