#!/usr/bin/env python3
"""How fast `lathe run` evaluates: run_speed.py LATHE

A PrimFunc of 1,000,000 elementwise iterations must take well under a second; a million tail calls
must take no more memory than a thousand. Prints seconds of the processor and MiB, the best of three runs.
"""
import os
import subprocess
import sys
import tempfile

HEAD = """from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
"""

ELEMENTWISE = HEAD + """    @T.prim_func
    def add(A: T.Buffer((1000000,), "float32"), B: T.Buffer((1000000,), "float32"), C: T.Buffer((1000000,), "float32")):
        for i in range(1000000):
            with T.block("C"):
                vi = T.axis.spatial(1000000, i)
                C[vi] = A[vi] + B[vi]
    @R.function
    def main(x: R.Tensor((1000000,), "float32")) -> R.Tensor((1000000,), "float32"):
        cls = Module
        y = R.call_tir(cls.add, (x, x), out_sinfo=R.Tensor((1000000,), "float32"))
        return y
"""

NOTHING = HEAD + """    @R.function
    def main(x: R.Tensor((1000000,), "float32")) -> R.Tensor((1000000,), "float32"):
        return x
"""

MATMUL = HEAD + """    @R.function
    def main(x: R.Tensor((128, 128), "float32")) -> R.Tensor((128, 128), "float32"):
        y = R.matmul(x, x)
        return y
"""

TAIL_CALLS = HEAD + """    @R.function
    def loop(a: R.Shape(["n"])) -> R.Shape(ndim=1):
        n = T.int64()
        cls = Module
        done = R.prim_value(n == 0)
        if done:
            r: R.Shape(ndim=1) = R.shape([n])
        else:
            r: R.Shape(ndim=1) = cls.loop(R.shape([n - 1]))
        return r
    @R.function
    def main(a: R.Shape(["n"])) -> R.Shape(ndim=1):
        cls = Module
        r = cls.loop(R.shape([%d]))
        return r
"""


def run(lathe, text):
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as f:
        f.write(text)
    try:
        child = subprocess.Popen([lathe, "run", f.name, "--random", "seed=1"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    finally:
        os.unlink(f.name)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bad = False
    print("%-44s %9s %9s" % ("", "seconds", "MiB"))
    for name, text in (("a million random numbers, nothing computed", NOTHING),
                       ("1,000,000 elementwise iterations", ELEMENTWISE),
                       ("matmul of 128 x 128 x 128", MATMUL),
                       ("1,000 tail calls", TAIL_CALLS % 1_000),
                       ("1,000,000 tail calls", TAIL_CALLS % 1_000_000)):
        code, seconds, mib = min((run(sys.argv[1], text) for _ in range(3)), key=lambda r: r[1])
        print("%-44s %9.3f %9.0f" % (name, seconds, mib))
        bad |= code != 0
    sys.exit(bad)


main()
