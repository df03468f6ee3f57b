#!/usr/bin/env python3
"""Whole models against ONNX Runtime: compare_models.py LATHE FOLDER [options]

Compiles each FOLDER/NAME/model.onnx and FOLDER/NAME.onnx with `lathe compile`, builds the C with gcc -O2, gives it
and ONNX Runtime the same random inputs, and prints for each how far the results are apart, both run
times on one core, taken in turns, and the arena with its lower bound. Sizes with names are those of
NAME/sizes.json, or of --sizes. The exit code is 1 when a result is off by more than 1e-3 of the largest
element, of quantised models 8 steps of 256: each layer is within one step of its definition, and steps
add up (ONNX Runtime's own two forms of MobileNetV2 are 3 apart). Needs onnx, onnxruntime and numpy of PyPI:

    python3 -m venv /tmp/peer && /tmp/peer/bin/pip install onnx onnxruntime
    /tmp/peer/bin/python tests/peers/export_models.py /tmp/models
    /tmp/peer/bin/python tests/peers/compare_models.py build/release/bin/lathe /tmp/models
"""
import argparse
import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnxruntime

FLAGS = {"generic-c99": [], "x86-64": ["-march=x86-64"], "x86-64-v3": ["-march=x86-64-v3"],
         "x86-64-v4": ["-march=x86-64-v4", "-mprefer-vector-width=512"]}
TYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32,
         "tensor(uint8)": np.uint8, "tensor(int8)": np.int8, "tensor(bool)": np.bool_,
         "tensor(double)": np.float64}


def widest_target():
    flags = set(pathlib.Path("/proc/cpuinfo").read_text(errors="replace").split())
    if {"avx512f", "avx512vl", "avx512bw", "avx512dq"} <= flags:
        return "x86-64-v4"
    return "x86-64-v3" if {"avx2", "fma"} <= flags else "x86-64"


def inputs_of(session, sizes, seed=1):
    random, given = np.random.RandomState(seed), {}
    for i in session.get_inputs():
        shape = [sizes[d] if isinstance(d, str) else d for d in i.shape]
        dtype = TYPES[i.type]
        if np.issubdtype(dtype, np.floating):
            given[i.name] = random.standard_normal(shape).astype(dtype)
        else:
            given[i.name] = random.randint(0, sizes.get("limits", {}).get(i.name, 2), shape).astype(dtype)
    return given


class Compiled:
    """The C of a model as a shared library, called through its public header."""

    def __init__(self, lathe, model, folder, target, more=()):
        begin = time.perf_counter()
        words = [lathe, "compile", str(model), "-o", str(folder), "-n", "net", "-t", target, "--weights", "incbin", *more]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError((done.stdout + done.stderr).strip())
        self.said = done.stdout + done.stderr
        self.generated = time.perf_counter() - begin
        begin = time.perf_counter()
        sources = [str(p) for pattern in ("*.c", "*.S") for p in sorted(folder.glob(pattern))]
        words = ["gcc", "-std=gnu99", "-O2", "-fPIC", "-shared", *FLAGS[target], "-I", str(folder), *sources,
                 "-o", str(folder / "net.so"), "-lm"]
        done = subprocess.run(words, capture_output=True, text=True, cwd=folder)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        self.built = time.perf_counter() - begin
        self.c_bytes = sum(p.stat().st_size for p in folder.glob("*.c"))
        self.header = (folder / "net.h").read_text()
        self.library = ctypes.CDLL(str(folder / "net.so"))

    def members(self, kind):
        body = self.header.split(f"typedef struct net_{kind} {{")[1].split("}")[0]
        return re.findall(r"(\*?)(\w+);", body)

    def arena_size(self, sizes):
        exact = re.search(r"size_t net_arena_size\((.*?)\)", self.header, re.S)
        if exact is None:
            return int(re.search(r"NET_ARENA_SIZE (\d+)u", self.header).group(1))
        self.library.net_arena_size.restype = ctypes.c_size_t
        names = re.findall(r"int64_t (\w+)", exact.group(1))
        return self.library.net_arena_size(*[ctypes.c_int64(sizes[n]) for n in names])

    def prepare(self, given, outputs, sizes):
        """A function that runs it; `outputs` are filled. The arena is just as large as it has to be."""
        self.arena_bytes = self.arena_size(sizes)
        guard, align = 4096, 64
        self.memory = np.full(self.arena_bytes + 2 * guard + align, 0xA5, np.uint8)
        self.start = guard + -(self.memory.ctypes.data + guard) % align
        instance = (ctypes.c_uint64 * 64)()
        code = self.library.net_init(instance, ctypes.c_void_p(self.memory.ctypes.data + self.start),
                                     ctypes.c_size_t(self.arena_bytes))
        if code != 0:
            raise RuntimeError(f"net_init gives {code}")

        def bind(kind, arrays):
            arrays, words = list(arrays), []
            for pointer, name in self.members(kind):
                words.append(arrays.pop(0).ctypes.data if pointer else sizes[name])
            if arrays:
                raise RuntimeError(f"net_{kind} has {len(words)} members, and {len(arrays)} tensors are left")
            return (ctypes.c_uint64 * max(len(words), 1))(*words)

        ins, outs = bind("inputs", given), bind("outputs", outputs)

        def run():
            code = self.library.net_run(instance, ins, outs)
            if code != 0:
                raise RuntimeError(f"net_run gives {code}")
        return run

    def check_memory(self):
        outside = np.concatenate([self.memory[:self.start], self.memory[self.start + self.arena_bytes:]])
        if (outside != 0xA5).any():
            raise RuntimeError("it wrote beside its arena")


def lower_bound(lathe, model, sizes, target):
    words = [w for n, v in sizes.items() if isinstance(v, int) for w in ("-D", f"{n}={v}")]
    done = subprocess.run([lathe, "analyze", str(model), "-t", target, *words], capture_output=True, text=True)
    found = re.search(r"(?:RAM|arena) +([\d ]+) B +\(lower bound ([\d ]+),", done.stdout + done.stderr)
    return tuple(int(g.replace(" ", "")) for g in found.groups()) if found else (None, None)


def times_in_turns(ours, theirs, seconds):
    """The best of each, and the middle of the ratios of runs that followed one another."""
    a, b, end = [], [], time.perf_counter() + seconds
    while len(a) < 5 or time.perf_counter() < end:
        for run, kept in ((ours, a), (theirs, b)):
            begin = time.perf_counter()
            run()
            kept.append(time.perf_counter() - begin)
    return min(a), min(b), float(np.median(np.array(a) / np.array(b)))


def compare(options, name, model, sizes, folder):
    session_options = onnxruntime.SessionOptions()
    session_options.intra_op_num_threads = session_options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), session_options, providers=["CPUExecutionProvider"])
    compiled = Compiled(options.lathe, model, folder, options.target)
    print(f"{name}: generated in {compiled.generated:.1f} s, {compiled.c_bytes:,} bytes of C, "
          f"gcc -O2 {compiled.built:.1f} s", flush=True)
    quantised = b"QuantizeLinear" in model.read_bytes()[:1 << 26]
    wrong = 0
    for at in options.sizes or [{}]:
        now = {**sizes, **at}
        given = inputs_of(session, now)
        wanted = session.run(None, given)
        got = [np.full(w.shape, 7, w.dtype) for w in wanted]
        run = compiled.prepare([np.ascontiguousarray(a) for a in given.values()], got, now)
        run()
        compiled.check_memory()
        off = [float(np.abs(g.astype(np.float64) - w).max()) if w.size else 0.0 for g, w in zip(got, wanted)]
        part = max(o / max(float(np.abs(w).max()), 1e-30) for o, w in zip(off, wanted))
        fine = part <= (8 / 256 if quantised else 1e-3) and all(np.isfinite(g).all() for g in got)
        wrong += not fine
        ours, theirs, ratio = times_in_turns(run, lambda: session.run(None, given), options.seconds)
        arena, bound = lower_bound(options.lathe, model, now, options.target)
        shown = " ".join(f"{n}={v}" for n, v in now.items() if isinstance(v, int))
        print(f"  {shown or 'fixed sizes'}: {'same' if fine else 'DIFFERENT'}, max error {max(off):.2e} "
              f"({part:.1e} of the largest); {ours * 1e3:.3f} ms, ONNX Runtime {theirs * 1e3:.3f} ms, ratio {ratio:.2f}; "
              f"arena {compiled.arena_bytes:,} B, of these sizes alone {arena:,} B, lower bound {bound:,} B", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lathe")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="models whose name has this in it")
    parser.add_argument("--target", default=widest_target(), choices=sorted(FLAGS))
    parser.add_argument("--seconds", type=float, default=2.0, help="to measure each")
    parser.add_argument("--sizes", action="append", type=lambda text: {
        n: int(v) for n, v in (one.split("=") for one in text.split(","))}, help="batch=4,sequence=128; may be repeated")
    options = parser.parse_args()
    options.lathe = os.path.abspath(options.lathe)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    models = [(p.parent.name, p) for p in sorted(options.folder.glob("*/model.onnx"))]
    models += [(p.stem, p) for p in sorted(options.folder.glob("*.onnx"))]
    wrong = 0
    print(f"{options.target}, gcc -O2, ONNX Runtime {onnxruntime.__version__}, one core", flush=True)
    for name, model in models:
        if options.only not in name:
            continue
        beside = model.parent / "sizes.json"
        sizes = json.loads(beside.read_text()) if beside.exists() else {}
        with tempfile.TemporaryDirectory() as folder:
            try:
                wrong += compare(options, name, model, sizes, pathlib.Path(folder))
            except RuntimeError as error:
                wrong += 1
                print(f"{name}: FAILED: {error}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
