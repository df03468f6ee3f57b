#!/usr/bin/env python3
"""Compares written ONNX models with their programs: compare_written.py LATHE PROGRAM... [--nodes FOLDER]

Writes each program by `lathe inspect --format onnx`, checks the model by onnx.checker, and compares
ONNX Runtime's results on random inputs with those of `lathe run` for the program and for the model.
FOLDER has ONNX's node cases, many of which have operators that the writer lists as not supported.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime
except ImportError as error:
    print(f"skipped: {error.name} is not installed")
    sys.exit(77)

UNSUPPORTED = 3
SYMBOLIC = 3  # every symbolic size
TYPES = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(float16)": np.float16,
         "tensor(bool)": np.bool_}
TYPES.update({f"tensor({name})": np.dtype(name).type
              for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")})


def run(lathe, program, inputs, folder):
    out = f"{folder}/out.npz"
    words = [lathe, "run", str(program), "-q", "-o", out]
    if str(program).endswith(".onnx"):
        words += ["--numerics", "onnx"]
    for name, value in inputs.items():
        np.save(f"{folder}/{len(words)}.npy", value)
        words += ["--input", f"{name}={folder}/{len(words)}.npy"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr
    arrays = np.load(out)
    return [arrays[name] for name in arrays.files], ""


def random_inputs(session):
    inputs = {}
    for number, given in enumerate(session.get_inputs()):
        shape = [size if isinstance(size, int) else SYMBOLIC for size in given.shape]
        values = np.asarray(np.random.RandomState(number).uniform(0.1, 0.9, shape))
        dtype = TYPES[given.type]
        # Integers are divisors too, so none is zero.
        inputs[given.name] = np.asarray(values if np.issubdtype(dtype, np.floating) else values * 3 + 1).astype(dtype)
    return inputs


def differs(expected, actual):
    if len(expected) != len(actual):
        return f"{len(actual)} results, not {len(expected)}"
    for a, b in zip(expected, actual):
        if a.shape != np.shape(b):
            return f"a result of shape {np.shape(b)}, not {a.shape}"
        if a.size and not np.allclose(a.astype(np.float64), np.asarray(b).astype(np.float64), 1e-3, 1e-4, True):
            return "other values"
    return ""


def compare(lathe, program):
    """What is wrong; None if the program cannot be written."""
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/model.onnx"
        done = subprocess.run([lathe, "inspect", str(program), "--format", "onnx", "-o", model],
                              capture_output=True, text=True)
        if done.returncode == UNSUPPORTED:
            return None
        if done.returncode != 0:
            return done.stderr
        onnx.checker.check_model(onnx.load(model), full_check=True)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(model, options)
        if any(given.type not in TYPES for given in session.get_inputs()):
            return None
        inputs = random_inputs(session)
        expected, error = run(lathe, program, inputs, folder)
        if expected is None:
            return None  # random indices and sizes do not fit some operators
        written, error = run(lathe, model, inputs, folder)
        if written is None:
            return error
        return differs(expected, written) or differs(expected, session.run(None, inputs))


def main():
    words = sys.argv[2:]
    folder = pathlib.Path(words.pop()) if "--nodes" in words else None
    programs = [pathlib.Path(word) for word in words if word != "--nodes"]
    cases = sorted(folder.glob("*/model.onnx")) if folder is not None else []
    same, unwritten, wrong = 0, 0, []
    for program in programs + cases:
        try:
            found = compare(sys.argv[1], program)
        except Exception as error:  # of the checker and of ONNX Runtime
            found = str(error)
            if "NOT_IMPLEMENTED" in found or "No corresponding Numpy type" in found:
                found = None
        if found is None:
            unwritten += 1
            if program in programs:
                wrong.append(f"{program}: not written")
        elif found:
            wrong.append(f"{program}: {found}")
        else:
            same += 1
    print("\n".join(wrong))
    print(f"{same} equal, {unwritten} not written or not run, {len(wrong)} wrong")
    sys.exit(bool(wrong) or same == 0)


main()
