#!/usr/bin/env python3
"""Compares written ONNX models with their programs: compare_written.py LATHE PROGRAM... [--nodes FOLDER], or
compare_written.py LATHE --operators [PART OF A NAME]

Writes each program by `lathe inspect --format onnx`, checks the model by onnx.checker, and compares
ONNX Runtime's results on random inputs with those of `lathe run` for the program and for the model.
FOLDER has ONNX's node cases, many of which have operators that the writer lists as not supported. --operators are the programs
of written_operators.py. Each model is run as it is and with ONNX Runtime's optimizations, which have rules of their own.
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
import onnx.reference
import written_operators

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


def sessions(model):
    """The model as it is, and optimized."""
    for level in (onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL, onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = level
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        yield onnxruntime.InferenceSession(model, options)


def results_of(model, inputs):
    """The results of ONNX Runtime both ways; those of ONNX's reference where it has no kernel; none where that has none too."""
    try:
        return [session.run(None, inputs) for session in sessions(model)]
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented:
        pass
    try:
        return [onnx.reference.ReferenceEvaluator(model).run(None, inputs)]
    except (TypeError, ValueError):  # dtypes that the reference is not made for
        return []


def differs_exactly(expected, actual):
    if [a.shape for a in expected] != [np.shape(b) for b in actual]:
        return f"results of shapes {[np.shape(b) for b in actual]}, not {[a.shape for a in expected]}"
    for a, b in zip(expected, actual):
        if a.dtype != np.asarray(b).dtype:
            return f"a result of {np.asarray(b).dtype}, not {a.dtype}"
        if not np.issubdtype(a.dtype, np.floating) and not np.array_equal(a, b):
            return f"{np.asarray(b).tolist()}, not {a.tolist()}"
        near = 1e-2 if a.dtype == np.float16 else 1e-4
        if np.issubdtype(a.dtype, np.floating) and not np.allclose(a.astype(np.float64), np.asarray(b, np.float64), near, near, True):
            return f"{np.asarray(b).tolist()}, not {a.tolist()}"
    return ""


def compare_operator(lathe, text, inputs):
    """What is wrong with a program of written_operators.py; None if it is no program or not written."""
    with tempfile.TemporaryDirectory() as folder:
        program, model = f"{folder}/m.py", f"{folder}/model.onnx"
        pathlib.Path(program).write_text(text, encoding="utf-8")
        done = subprocess.run([lathe, "inspect", program, "--format", "onnx", "-o", model], capture_output=True, text=True)
        if done.returncode in (2, UNSUPPORTED):
            return None
        if done.returncode != 0:
            return done.stderr
        onnx.checker.check_model(onnx.load(model), full_check=True)
        expected, error = run(lathe, program, inputs, folder)
        if expected is None:
            return error
        actuals = results_of(model, inputs)
        if not actuals:
            return None
        for actual in actuals:
            found = differs_exactly(expected, actual)
            if found:
                return found
        return ""


def compare_operators(lathe, only):
    same, unwritten, wrong = 0, 0, []
    for name, text, inputs in written_operators.cases():
        if only not in name:
            continue
        try:
            found = compare_operator(lathe, text, inputs)
        except Exception as error:  # of the checker, of ONNX Runtime and of the reference
            found = str(error)[:300]
        same += found == ""
        unwritten += found is None
        if found:
            wrong.append(f"{name}: {found}")
    print("\n".join(wrong))
    print(f"{same} calls equal, {unwritten} not written, {len(wrong)} wrong")
    return bool(wrong) or same == 0


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
        plain, optimized = sessions(model)
        if any(given.type not in TYPES for given in plain.get_inputs()):
            return None
        inputs = random_inputs(plain)
        expected, error = run(lathe, program, inputs, folder)
        if expected is None:
            return None  # random indices and sizes do not fit some operators
        written, error = run(lathe, model, inputs, folder)
        if written is None:
            return error
        return (differs(expected, written) or differs(expected, plain.run(None, inputs)) or
                differs(expected, optimized.run(None, inputs)))


def main():
    words = sys.argv[2:]
    if "--operators" in words:
        sys.exit(compare_operators(sys.argv[1], "".join(words[words.index("--operators") + 1:])))
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
