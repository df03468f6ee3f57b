#!/usr/bin/env python3
"""How near kernels come to what the processor can do.

  kernel_speed.py LATHE [--models DIR] [--cc gcc,clang] [--target T] [--runs N] [--only NAME]

Compiles matrix products, convolutions and the like with `lathe compile -t T` (by default for the
widest vectors that this machine has), builds them at -O2 and runs them on one core. Each run stands
between two bursts of multiplications and additions in registers, which are the peak of the core at
that moment: the ratio of both is what is printed, the 90th percentile of all runs, and the best
time. Softmax is compared with a loop that calls libm. With --models the networks below DIR
(NAME/model.onnx) are measured too. Matrix products are compared with OpenBLAS and oneDNN if these are installed.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

HEAD = """from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main({params}) -> R.Tensor({out}, "float32"):
        with R.dataflow():
{body}
            R.output(out)
        return out
"""


def numbers(shape, rng):
    if not shape:
        return f"{rng.random() - 0.5:.3f}"
    return "[" + ", ".join(numbers(shape[1:], rng) for _ in range(shape[0])) + "]"


def const(shape, rng):
    return f'R.const({numbers(shape, rng)}, "float32")'


def program(params, out, lines):
    params = ", ".join(f'{name}: R.Tensor({shape}, "float32")' for name, shape in params)
    body = "\n".join("            " + line for line in lines)
    return HEAD.format(params=params, out=out, body=body)


def matmul(m, n, k):
    rng = random.Random(1)
    return program([("x", (m, k))], (m, n), [
        f"a = R.matmul(x, {const((k, n), rng)})",
        f"b = R.add(a, {const((n,), rng)})",
        "out = R.nn.relu(b)",
    ])


def convolution(size, channels):
    rng = random.Random(1)
    shape = (1, size, size, channels)
    return program([("x", shape)], shape, [
        f"a = R.nn.conv2d(x, {const((channels, channels, 3, 3), rng)}, padding=(1, 1), "
        'data_layout="NHWC", kernel_layout="OIHW")',
        f"b = R.add(a, {const((channels,), rng)})",
        "out = R.nn.relu(b)",
    ])


def softmax(rows, columns):
    return program([("x", (rows, columns))], (rows, columns), ["out = R.nn.softmax(x, axis=-1)"])


# Name, program, floating-point operations, what it is to reach in percent of the peak; nothing
# where it is compared with libm.
CASES = [
    ("matmul 512x512x512", lambda: matmul(512, 512, 512), 2 * 512**3, 88),
    ("matmul 128x768x3072", lambda: matmul(128, 768, 3072), 2 * 128 * 768 * 3072, 82),
    ("conv 3x3 56x56x64x64 NHWC", lambda: convolution(56, 64), 2 * 56 * 56 * 64 * 64 * 9, 88),
    ("softmax 128x1024", lambda: softmax(128, 1024), None, 8.0),
]

# Below --models: percent of the peak, or GFLOP/s.
MODELS = {
    "matmul512": (2 * 134217728, 85),
    "matmul512_constB": (2 * 134217728, 85),
    "conv3x3_64_56": (2 * 115605504, 65),
    "conv1x1_128_28": (2 * 12845056, 70),
    "dw3x3_128_56": (2 * 3612672, "25 GF/s"),
    "resnet8": (2 * 12501632, 25),
    "dscnn": (2 * 2656768, 20),
    "mobilenetv1_025_96": (2 * 7489664, 15),
    "transformer_block": (2 * 13631488, 40),
}


def flags_of_processor():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("flags"):
                    return set(line.split(":")[1].split())
    except OSError:
        pass
    return set()


def widest_target():
    flags = flags_of_processor()
    if {"avx512f", "avx512vl", "avx512bw", "avx512dq"} <= flags:
        return "x86-64-v4"
    return "x86-64-v3" if {"avx2", "fma"} <= flags else "x86-64"


TARGET_FLAGS = {
    "x86-64": ["-march=x86-64"],
    "x86-64-v3": ["-march=x86-64-v3"],
    "x86-64-v4": ["-march=x86-64-v4", "-mprefer-vector-width=512"],
}


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.missed = 0

    def run(self, words):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}\n{done.stdout}")
        return done.stdout

    def write_ports(self, bundle):
        """Returns buffers for the members of the model's structs, from their comments."""
        with open(os.path.join(bundle, "net.h"), encoding="ascii") as file:
            header = file.read()
        bind, first = [], {}
        for side in ("in", "out"):
            struct = header.split(f"typedef struct net_{side}puts {{")[1].split("}")[0]
            for name, length in re.findall(r"\*(\w+); /\* (\w+_LEN)", struct):
                bind.append(f"  {side}.{name} = numbers({length});")
                first.setdefault(side, (name, length))
        with open(os.path.join(bundle, "net_ports.h"), "w", encoding="ascii") as file:
            file.write("static void bind_ports(void) {\n" + "\n".join(bind) + "\n}\n"
                       f"#define FIRST_IN in.{first['in'][0]}\n"
                       f"#define FIRST_OUT out.{first['out'][0]}\n"
                       f"#define FIRST_LEN {first['in'][1]}\n")

    def measure(self, cc, source, flops, extra=()):
        """Best seconds, the ratio, and the peak in GFLOP/s."""
        bundle = os.path.join(self.folder, "bundle")
        shutil.rmtree(bundle, ignore_errors=True)
        target = self.options.target
        self.run([self.options.lathe, "compile", "-q", source, "-t", target, "-o", bundle,
                  "-n", "net"])
        self.write_ports(bundle)
        objects = []
        flags = ["-O2", *TARGET_FLAGS[target]]
        for name in sorted(os.listdir(bundle)):
            if name.endswith(".c"):
                objects.append(os.path.join(self.folder, name + ".o"))
                self.run([cc, "-std=c99", *flags, "-I", bundle, "-c", os.path.join(bundle, name),
                          "-o", objects[-1]])
        binary = os.path.join(self.folder, "run")
        self.run(["gcc", "-std=gnu99", "-O2", *TARGET_FLAGS[target], "-I", bundle,
                  f"-DFLOPS={flops or 0}.0", *extra, os.path.join(HERE, "kernel_speed.c"), *objects,
                  "-o", binary, "-lm"])
        return [float(word) for word in self.run([binary, str(self.options.runs)]).split()]

    def row(self, name, cc, source, flops, goal):
        best, ratio, peak = self.measure(cc, source, flops)
        if flops is None:
            shown, reached = f"{ratio:8.1f} times libm", ratio
        else:
            shown, reached = f"{flops / best / 1e9:7.1f} GF/s {100 * ratio:5.1f} %", 100 * ratio
        if isinstance(goal, str):
            reached, wanted = flops / best / 1e9, float(goal.split()[0])
        else:
            wanted = goal
        self.missed += reached < wanted
        print(f"{name:28} {cc:8} {best * 1e6:10.1f} us {shown}   goal {goal}"
              f"{'' if reached >= wanted else '  MISSED'}   (peak {peak:.0f} GF/s)", flush=True)


# Name, header, the call of one product, how it is linked, the Debian package.
LIBRARIES = [
    ("OpenBLAS", "#include <cblas.h>",
     "cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, {m}, {n}, {k}, 1.0f, a, {k}, b, {n}, 0.0f, c, {n})",
     "-lopenblas", "libopenblas-dev"),
    ("oneDNN", "#include <dnnl.h>",
     "(void)dnnl_sgemm('N', 'N', {m}, {n}, {k}, 1.0f, a, {k}, b, {n}, 0.0f, c, {n})",
     "-ldnnl", "libdnnl-dev"),
]


def other_libraries(bench):
    """Products by others in the same harness, where they can be linked."""
    source = os.path.join(bench.folder, "blas.c")
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
    for library, header, call, link, package in LIBRARIES:
        for m, n, k in ((512, 512, 512), (128, 768, 3072)):
            with open(source, "w", encoding="ascii") as file:
                file.write(f"{header}\n#include <stdlib.h>\n"
                           "static float *a, *b, *c;\n"
                           "void blas_run(void);\nvoid blas_make(void);\n"
                           f"void blas_make(void) {{ a = calloc({m * k}, 4); b = calloc({n * k}, 4);"
                           f" c = calloc({m * n}, 4); }}\n"
                           f"void blas_run(void) {{ {call.format(m=m, n=n, k=k)}; }}\n")
            binary = os.path.join(bench.folder, "blas")
            built = subprocess.run(["gcc", "-O2", *TARGET_FLAGS[bench.options.target], "-DBLAS",
                                    f"-DFLOPS={2 * m * n * k}.0",
                                    os.path.join(HERE, "kernel_speed.c"), source, "-o", binary,
                                    link, "-lm"],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if built.returncode != 0:
                print(f"{library}: not installed ({package})")
                break
            words = bench.run([binary, str(bench.options.runs)]).split()
            best, ratio, peak = [float(word) for word in words]
            print(f"{f'matmul {m}x{n}x{k}':28} {library:8} {best * 1e6:10.1f} us "
                  f"{2 * m * n * k / best / 1e9:7.1f} GF/s {100 * ratio:5.1f} %"
                  f"   (peak {peak:.0f} GF/s)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lathe")
    parser.add_argument("--models")
    parser.add_argument("--cc", default="gcc,clang")
    parser.add_argument("--target", default=widest_target(), choices=sorted(TARGET_FLAGS))
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    compilers = [cc for cc in options.cc.split(",") if shutil.which(cc)]
    print(f"{options.target}, -O2, one core, ratio in one run", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        for name, make, flops, goal in CASES:
            if options.only not in name:
                continue
            source = os.path.join(folder, "case.py")
            with open(source, "w", encoding="ascii") as file:
                file.write(make())
            for cc in compilers:
                bench.row(name, cc, source, flops, goal)
        if options.only in "matmul":
            other_libraries(bench)
        for name, (flops, goal) in MODELS.items() if options.models else ():
            source = os.path.join(options.models, name, "model.onnx")
            if options.only not in name:
                continue
            if not os.path.exists(source):
                print(f"{name}: not below {options.models}")
                continue
            for cc in compilers:
                bench.row(name, cc, source, flops, goal)
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
