#!/usr/bin/env python3
"""How `lathe check` grows with its input: check_scaling.py LATHE

Writes Relax modules of 25,000 to 200,000 bindings, checks each (the best of three runs), and prints
time, memory and the ratio for each doubling; then the inputs that must end in a limit error: 1,000
and 100,000 deep nesting, and an identifier of a megabyte.
"""
import os
import subprocess
import sys
import tempfile

HEAD = """from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 16), "float32"), y: R.Tensor(("n", 16), "float32")):
        n = T.int64()
        with R.dataflow():
"""


def module(bindings):
    lines = [HEAD, "            v0 = R.add(x, y)\n"]
    for i in range(1, bindings):
        op = ("R.add(v%d, y)", "R.multiply(v%d, x)", "R.exp(v%d)")[i % 3] % (i - 1)
        lines.append("            v%d = %s\n" % (i, op))
    lines.append("            gv = R.add(v%d, x)\n            R.output(gv)\n        return gv\n" % (bindings - 1))
    return "".join(lines)


def run(lathe, text):
    """Exit code, seconds of the processor (other programs do not count), MiB and what was printed of one run."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as f:
        f.write(text)
    try:
        child = subprocess.Popen([lathe, "check", f.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        out = child.stdout.read().decode(errors="replace")
        _, status, usage = os.wait4(child.pid, 0)
        return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out
    finally:
        os.unlink(f.name)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lathe = sys.argv[1]
    bad = False
    before = None
    print("%10s %9s %9s %7s" % ("bindings", "seconds", "MiB", "ratio"))
    for bindings in (25_000, 50_000, 100_000, 200_000):
        text = module(bindings)
        runs = [run(lathe, text) for _ in range(3)]
        code, seconds, mib, out = min(runs, key=lambda r: r[1])
        print("%10d %9.2f %9.0f %7s" % (bindings, seconds, mib, "%.2f" % (seconds / before) if before else ""))
        if code != 0:
            print(out[:2000])
            bad = True
        before = seconds
    deep = lambda n: HEAD + "            gv = " + "R.exp(" * n + "x" + ")" * n + "\n            R.output(gv)\n        return gv\n"
    ifs = HEAD.split("        with")[0] + "".join(
        "    " * (k + 2) + "if True:\n" for k in range(1000)) + "    " * 1002 + "z = x\n"
    for name, text in (
        ("nesting of 1,000", deep(1_000)),
        ("nesting of 100,000", deep(100_000)),
        ("1,000 ifs in each other", ifs),
        ("identifier of 1 MB", HEAD + "            " + "a" * 1_000_000 + " = R.exp(x)\n"),
    ):
        code, seconds, mib, out = run(lathe, text)
        first = next((line for line in out.splitlines() if "error:" in line), out[:200])
        print("%-24s exit %d, %.2f s, %.0f MiB: %s" % (name, code, seconds, mib, first[:150]))
        bad = bad or code != 4
    sys.exit(bad)


if __name__ == "__main__":
    main()
