#!/usr/bin/env python3
"""Checks `--io float` and `--io int8` of TFLite models: io_types.py LATHE

Each case is a model with the same quantized layer between other edges; the compiled functions have to
compute the same numbers.
"""
import itertools
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compiled_bytes import CompiledBytes, Refused
from model_writer import Model, Operator, Subgraph, Tensor, options

DEQUANTIZE, RELU, NEG, QUANTIZE, STABLEHLO_CASE = 6, 19, 59, 114, 209
SCALE, ZERO, COUNT = 0.5, -3, 100


def integers(name):
    return Tensor(name, [COUNT], "int8", SCALE, ZERO)


def reals(name):
    return Tensor(name, [COUNT])


def quantized(signature=False):
    """int8 to int8."""
    q, r = integers("x"), integers("y")
    signatures = [("serve", 0, {"pixels": q}, {"score": r})] if signature else []
    return Model([Subgraph([q], [r], [Operator(RELU, [q], [r])])], signatures)


def real(quantizations=1):
    """float to float, with one or several QUANTIZE of the input."""
    x, y, r = reals("x"), reals("y"), integers("r")
    made = [integers("q%d" % i) for i in range(quantizations)]
    operators = [Operator(QUANTIZE, [x], [q]) for q in made]
    return Model([Subgraph([x], [y], operators + [Operator(RELU, [made[-1]], [r]),
                                                  Operator(DEQUANTIZE, [r], [y])])])


def quantized_results():
    """The edges are the results of QUANTIZE themselves."""
    x, q, r = reals("x"), integers("q"), integers("r")
    return Model([Subgraph([x], [q, r], [Operator(QUANTIZE, [x], [q]), Operator(RELU, [q], [r])])])


def partly_quantized():
    """Another operator reads the float input, and makes the float output."""
    x, q, r, y = reals("x"), integers("q"), integers("r"), reals("y")
    return Model([Subgraph([x], [r, y], [Operator(QUANTIZE, [x], [q]), Operator(RELU, [q], [r]),
                                         Operator(NEG, [x], [y])])])


def merged_results():
    """Two results of a signature become one tensor."""
    x, q, y = reals("x"), integers("q"), reals("y")
    graph = Subgraph([x], [q, y], [Operator(QUANTIZE, [x], [q]), Operator(DEQUANTIZE, [q], [y])])
    return Model([graph], [("serve", 0, {"in": x}, {"real": y, "raw": q})])


def missing_tensor(code):
    """QUANTIZE without a result, or DEQUANTIZE without data."""
    x, q, y = reals("x"), integers("q"), reals("y")
    if code == QUANTIZE:
        return Model([Subgraph([x], [q], [Operator(QUANTIZE, [x], [None])])])
    return Model([Subgraph([q], [y], [Operator(DEQUANTIZE, [None], [y])])])


def of_int4():
    x, y = Tensor("x", [COUNT], "int4", SCALE, 0), reals("y")
    return Model([Subgraph([x], [y], [Operator(DEQUANTIZE, [x], [y])])])


def called():
    """STABLEHLO_CASE runs a subgraph that has a signature of its own."""
    index, x, y = Tensor("index", [], "int32"), integers("x"), integers("y")
    bodies = []
    for _ in range(2):
        a, b = integers("a"), integers("b")
        bodies.append(Subgraph([a], [b], [Operator(RELU, [a], [b])]))
    case = Operator(STABLEHLO_CASE, [index, x], [y], options(-23, branches=[1, 2]))
    names = [("main", 0, {"index": index, "x": x}, {"y": y}),
             ("branch", 1, {"a": bodies[0].inputs[0]}, {"b": bodies[0].outputs[0]})]
    return Model([Subgraph([index, x], [y], [case])] + bodies, names)


def two_signatures():
    """Two signatures of one subgraph."""
    q, r = integers("x"), integers("y")
    names = [("first", 0, {"a": q}, {"b": r}), ("second", 0, {"c": q}, {"d": r})]
    return Model([Subgraph([q], [r], [Operator(RELU, [q], [r])])], names)


ELEMENTS = [i * 0.25 - COUNT / 8 for i in range(COUNT)]  # every other one between two integers


def nearest(real):
    steps = abs(real) / SCALE
    whole = int(steps + 0.5)
    return max(-128, min(127, (whole if real >= 0 else -whole) + ZERO))


QUANTIZED = [nearest(x) for x in ELEMENTS]
RESULTS = [max(q, ZERO) for q in QUANTIZED]
AS_INT8 = struct.pack("<%db" % COUNT, *QUANTIZED)
AS_FLOAT = struct.pack("<%df" % COUNT, *ELEMENTS)


def floats(values):
    return struct.pack("<%df" % COUNT, *[(v - ZERO) * SCALE for v in values])


def ints(values):
    return struct.pack("<%db" % COUNT, *values)


# Names of inputs and outputs other than x and y. An output that is an input has the input's name.
NAMES = {"names of a signature": ["pixels", "score"], "merged results": ["in", "in", "in_1"],
         "results of QUANTIZE": ["x", "x", "r"], "results of QUANTIZE, float": ["x", "q", "r"],
         "partly quantized, float": ["x", "r", "y"]}
# Name, model, option, input, outputs.
CASES = [
    ("int8 as read", quantized(), None, AS_INT8, [ints(RESULTS)]),
    ("int8 to float", quantized(), "float", AS_FLOAT, [floats(RESULTS)]),
    ("int8 to int8", quantized(), "int8", AS_INT8, [ints(RESULTS)]),
    ("names of a signature", quantized(True), "float", AS_FLOAT, [floats(RESULTS)]),
    ("float as read", real(), None, AS_FLOAT, [floats(RESULTS)]),
    ("float to float", real(), "float", AS_FLOAT, [floats(RESULTS)]),
    ("float to int8", real(), "int8", AS_INT8, [ints(RESULTS)]),
    ("several QUANTIZE", real(3), "int8", AS_INT8, [ints(RESULTS)]),
    ("results of QUANTIZE", quantized_results(), "int8", AS_INT8, [AS_INT8, ints(RESULTS)]),
    ("results of QUANTIZE, float", quantized_results(), "float", AS_FLOAT,
     [floats(QUANTIZED), floats(RESULTS)]),
    ("merged results", merged_results(), "int8", AS_INT8, [AS_INT8, AS_INT8]),
    ("partly quantized, float", partly_quantized(), "float", AS_FLOAT,
     [floats(RESULTS), struct.pack("<%df" % COUNT, *[-x for x in ELEMENTS])]),
]


def problem_of(lathe, case, folder):
    name, model, io, data, want = case
    path = folder / "m.tflite"
    path.write_bytes(model.write())
    try:
        compiled = CompiledBytes(lathe, str(path), str(folder / "out"),
                                 options=["--io", io] if io else [])
    except Refused as error:
        return str(error)
    names = [n for _, n, _ in compiled.c_inputs + compiled.c_outputs]
    if names != NAMES.get(name, ["x", "y"]):
        return "names %s" % names
    got = compiled.run_bytes([data])
    return "" if got == want else "results differ"


def refused(lathe, folder, name, data, words, code, text):
    path = folder / name
    path.write_bytes(data)
    done = subprocess.run([lathe, "compile", str(path), "-o", str(folder / "out"), *words],
                          capture_output=True, text=True)
    if done.returncode == code and all(part in done.stderr for part in text):
        return ""
    return "ended with %d: %s" % (done.returncode, done.stderr)


def main():
    lathe = sys.argv[1]
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        number = itertools.count()

        def folder():
            made = Path(scratch) / str(next(number))
            made.mkdir()
            return made

        problems = [(case[0], problem_of(lathe, case, folder())) for case in CASES]
        problems.append(("two signatures", "" if all(
            word in inspect(lathe, folder(), two_signatures(), "float")
            for word in ("def first(a: R.Tensor((100,), dtype=\"float32\")",
                         "def second(c: R.Tensor((100,), dtype=\"float32\")")) else "types"))
        problems.append(("partly quantized", refused(
            lathe, folder(), "m.tflite", partly_quantized().write(), ["--io", "int8"], 3,
            ["the input 'x' is not read by one QUANTIZE alone",
             "the output 'y' is not the result of DEQUANTIZE"])))
        for name, model in (("no input", missing_tensor(DEQUANTIZE)),
                            ("no output", missing_tensor(QUANTIZE))):
            problems.append((name, refused(lathe, folder(), "m.tflite", model.write(),
                                           ["--io", "int8"], 3, ["--io int8 removes"])))
        problems.append(("int4", refused(lathe, folder(), "m.tflite", of_int4().write(),
                                         ["--io", "float"], 3, ["the input 'x' of int4"])))
        for io in ("float", "int8"):
            problems.append(("called, " + io, refused(
                lathe, folder(), "m.tflite", called().write(), ["--io", io], 3,
                ["which operators run too"])))
        for io, text in (("float", "floats 2 of 3 steps compute in floating point: #0 quantize "
                          "(converts), #2 dequantize (converts)"),
                         ("int8", "floats no step computes in floating point")):
            said = analyzed(lathe, folder(), quantized(), io)
            problems.append(("floats, " + io, "" if text in said else said))
        problems.append(("pipe", read_from_a_pipe(lathe)))
        problems.append(("another choice", refused(
            lathe, folder(), "m.tflite", real().write(), ["--io", "int4"], 1,
            ["'--io' must be one of float, int8, int8-inputs, int8-outputs; got 'int4'"])))
        problems.append(("another format", refused(
            lathe, folder(), "m.py", b"", ["--io", "float"], 1, ["needs a TFLite model"])))
    for name, problem in problems:
        if problem:
            failed += 1
            print("%s: %s" % (name, problem))
        else:
            passed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


def analyzed(lathe, folder, model, io):
    path = folder / "m.tflite"
    path.write_bytes(model.write())
    return subprocess.run([lathe, "analyze", str(path), "--io", io, "--no-fuse"],
                          capture_output=True, text=True).stdout


def read_from_a_pipe(lathe):
    """Options that depend on the format of the file must leave a pipe to the reader."""
    text = "from tvm.script import relax as R\n\n\n@R.function\ndef main(x: R.Tensor((2,))):\n" \
        "    return R.exp(x)\n"
    done = subprocess.run([lathe, "inspect", "/dev/stdin"], input=text, capture_output=True,
                          text=True)
    return "" if done.returncode == 0 and "R.exp(x)" in done.stdout else done.stderr


def inspect(lathe, folder, model, io):
    path = folder / "m.tflite"
    path.write_bytes(model.write())
    return subprocess.run([lathe, "inspect", str(path), "--io", io], capture_output=True,
                          text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
