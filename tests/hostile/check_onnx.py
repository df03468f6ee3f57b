#!/usr/bin/env python3
"""Hostile ONNX models: check_onnx.py LATHE [--seconds S] [--mib M] [--only TEXT] [--write FOLDER]

Makes the models of onnx_cases.py and has each compiled: the exit code has to be the one that is said
there, and what goes wrong one line that names the node and the tensor; a model whose names are hostile has
to become C that a compiler takes. Each within S seconds of processor time (1) and M MiB (256). --write
leaves the models in a folder and checks nothing.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import onnx_cases


def prepare(folder):
    """Creates the folder of the models and its surroundings."""
    (folder / "secret").write_bytes(bytes(64))
    inside = folder / "in"
    (inside / "a").mkdir(parents=True)
    (inside / "w.bin").write_bytes(bytes(24))
    (inside / "link").symlink_to("../secret")
    (inside / "folder_link").symlink_to("..")
    os.mkfifo(inside / "fifo")
    os.link(folder / "secret", inside / "hard_link")
    return inside


def run(words, folder, mib):
    """Exit code, standard error, seconds of processor time, MiB at the most."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    with tempfile.TemporaryFile() as err:
        child = subprocess.Popen(words, cwd=folder, stderr=err, stdout=subprocess.DEVNULL, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        text = err.read().decode(errors="replace")
    return child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def problem_of(case, code, text, out):
    if code not in case.codes:
        return "exit code %d, not %s: %s" % (code, " or ".join(map(str, case.codes)), text[:300])
    if code == 0:
        built = subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"] +
                               [str(p) for p in out.glob("*.c")], capture_output=True, text=True, check=False)
        return "its C: " + built.stderr[:300] if built.returncode else ""
    # A note may follow: how many nodes were not checked because of the error.
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("note: ")]
    if len(lines) != 1 and case.codes != (3,):
        return "%d lines: %s" % (len(lines), text[:300])
    if len(text) > 2000 or any(ord(c) < 32 and c != "\n" for c in text):
        return "a message that is no line: %r" % text[:300]
    for said in case.says:
        if said not in text:
            return "the message does not say %r: %s" % (said, text[:300])
    return "files were written" if out.exists() and any(out.iterdir()) else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lathe", nargs="?")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--mib", type=float, default=256)
    parser.add_argument("--only", default="")
    parser.add_argument("--write")
    given = parser.parse_args()
    cases = [case for case in onnx_cases.cases() if given.only in case.name]
    if given.write:
        for case in cases:
            (pathlib.Path(given.write) / (case.name + ".onnx")).write_bytes(case.data)
        return 0
    lathe = str(pathlib.Path(given.lathe).resolve())
    failed, most_seconds, most_mib = 0, 0, 0
    with tempfile.TemporaryDirectory() as work:
        inside = prepare(pathlib.Path(work))
        for case in cases:
            (inside / "m.onnx").write_bytes(case.data)
            out = pathlib.Path(work) / ("out_" + case.name)
            words = [lathe, "compile", "m.onnx", "-o", str(out), "-n", "m", "--diagnostics=short", "-q"]
            code, text, seconds, mib = run(words, inside, given.mib)
            problem = problem_of(case, code, text, out)
            if not problem and (seconds > given.seconds or mib > given.mib):
                problem = "%.1f s, %d MiB" % (seconds, mib)
            most_seconds, most_mib = max(most_seconds, seconds), max(most_mib, mib)
            if problem:
                failed += 1
                print("%s: %s" % (case.name, problem))
    print("%d models, %d of them external data, %d failed; at most %.2f s and %d MiB" % (
        len(cases), sum(c.name.startswith("external") for c in cases), failed, most_seconds, most_mib))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
