#!/usr/bin/env python3
"""Runs cases of defects that were found once: check_defects.py LATHE FOLDER

FOLDER has a folder for each case: m.onnx or m.py, and input_N.pb and output_N.pb where the results are known.
Each case ends with the exit code that is wanted, in its time and memory, without a signal. A folder of no row below is an
error, so that none is forgotten. Ends with 77 where FOLDER is not there.
"""
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
OK, MALFORMED, UNSUPPORTED, LIMIT = 0, 2, 3, 4
MOST_BYTES = 1 << 30
VECTORS = ("x86-64", "x86-64-v3", "x86-64-v4", "aarch64")


def validate(model, *options):
    return ["validate", model, "--data", model.parent, *options]


def compiled(model, *options):
    return ["compile", model, "-o", "out", "-n", "k", *options]


def cases(folder):
    """Name: what is run, exit codes that are right, seconds that it may take."""
    yield "slice_after_elementwise_overflow", [("m.onnx", validate, [], [OK]),
                                               ("m.onnx", validate, ["--cflags", "-O0 -fsanitize=address"], [OK]),
                                               ("m.onnx", validate, ["-t", "x86-64-v3", "--cflags", "-O0 -fsanitize=address"], [OK])]
    yield "noncompiling_conv_stride_dynamic", [("m.onnx", validate, ["-t", target, *(["--on", "qemu"] if target == "aarch64" else [])], [OK]) for target in VECTORS]
    yield "sigfpe_matmul_zero_rows", [("m.onnx", compiled, ["-t", target], [OK]) for target in VECTORS]
    yield "c_injection_call_extern", [("m.py", compiled, [], [MALFORMED, UNSUPPORTED])]
    yield "testdata_index_counts_initializers", [("m.onnx", validate, [], [OK])]
    yield "dim_D_not_applied_before_import_LSTM", [("m.onnx", validate, ["-D", "time=5"], [OK])]
    yield "dim_D_not_applied_before_import_concat", [("m.onnx", validate, ["-D", "h=4", "-D", "h2=8"], [OK])]
    yield "rc2_cascade_dynamic", [("m.onnx", lambda model: ["check", model], [], [OK, UNSUPPORTED])]
    for name in ("reduce_noop_axes_omitted_ReduceSum", "topk_k0_static", "convtranspose_output_shape_odd_NOTSET", "gru_leaky",
                 "reduce_int_ReduceL2", "loop_zero_turns"):
        yield name, [("m.onnx", validate, [], [OK])]
    yield "lstm_long_sequence_compile_time", [("m.onnx", compiled, [], [OK])]
    yield "unsqueeze_rank1000_hang", [("m.onnx", compiled, [], [MALFORMED, UNSUPPORTED, LIMIT])]
    yield "tuple_doubling_hang", [("m.py", compiled, [], [OK, UNSUPPORTED, LIMIT])]
    for name in ("tvm027_scalar_param_shadows_typevar", "tvm027_alloc_tensor_ty_args"):
        yield name, [("m.py", lambda model: ["check", model], [], [OK])]


def has_avx512():
    cpu = pathlib.Path("/proc/cpuinfo")
    return cpu.exists() and "avx512vl" in cpu.read_text()


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def run(lathe, words, sanitized):
    """The exit code and what was printed. Only lathe itself has a limit of memory: the sanitizer's shadow needs more."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            done = subprocess.run([lathe, *map(str, words)], cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", check=False, timeout=120, preexec_fn=None if sanitized else limit_memory)
        except subprocess.TimeoutExpired:
            return None, "takes more than 120 seconds"
    return done.returncode, done.stdout


def main():
    lathe, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    if not folder.is_dir():
        print(f"{folder} is not there: skipped")
        return SKIPPED
    failed, passed, listed = 0, 0, set()
    has_cross = shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-gcc")
    for name, commands in cases(folder):
        listed.add(name)
        for file, command, options, right in commands:
            if not (folder / name / file).exists():
                print(f"{name}: {file} is not there")
                failed += 1
                continue
            if "aarch64" in options and command is validate and not has_cross:
                print(f"{name}: {' '.join(options)} left out: no compiler or emulator for it")
                continue
            if "x86-64-v4" in options and command is validate and not has_avx512():
                print(f"{name}: {' '.join(options)} left out: this processor has no AVX-512")
                continue
            started = time.monotonic()
            words = [*command(folder / name / file), *options]
            code, said = run(lathe, words, any("sanitize" in option for option in options))
            if code in right:
                passed += 1
                continue
            failed += 1
            print(f"{name}: lathe {' '.join(map(str, words))}: ended with {code} after {time.monotonic() - started:.1f} s; "
                  f"wanted is {' or '.join(map(str, right))}\n{said[-1500:]}")
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in listed:
            print(f"{path.name}: no row says what is right")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
