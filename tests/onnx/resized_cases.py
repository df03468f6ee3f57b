#!/usr/bin/env python3
"""Runs ONNX's node cases with other sizes: resized_cases.py LATHE FOLDER [--count N] [--seed S]

In each case every dimension of one size becomes another: none, one, or one at the edge of vectors and tiles; as a number,
as a symbol that the data says, or as one in a range. Inputs keep their values as far as there are some. What the model means
and what is compiled for one of the targets, with warnings as errors and half of the time with sanitizers, have to be the same;
sizes that an operator does not take have to be refused. Prints the cases that are neither, and ends with 1 then; with 77 where
the folder, numpy or onnx are missing.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

SKIPPED = 77
try:
    import numpy
    import onnx
    from onnx import numpy_helper
except ImportError:
    print("skipped: numpy and onnx are missing")
    sys.exit(SKIPPED)

SIZES = (0, 0, 0, 1, 1, 2, 4, 5, 7, 8, 9, 15, 16, 17, 33)
TARGETS = {"generic-c99": "", "x86-64": "-march=x86-64", "x86-64-v3": "-march=x86-64-v3",
           "x86-64-v4": "-march=x86-64-v4 -mprefer-vector-width=512"}
BUILDS = (("gcc", "-O2 -Wall -Wextra -Werror"),
          ("clang", "-O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all"))
# Ok, malformed, unsupported, a limit.
FINE = (0, 2, 3, 4)


def array_of(case, index):
    file = case / "test_data_set_0" / f"input_{index}.pb"
    tensor = onnx.TensorProto()
    tensor.ParseFromString(file.read_bytes())
    return numpy_helper.to_array(tensor)


def says_sizes(array):
    """Axes, shapes and counts are small tensors of int64: those keep their sizes mostly."""
    return array.dtype == numpy.int64 and array.ndim <= 1 and array.size <= 8


def resized(case, dice, folder):
    """Writes the model and its data, and returns what was changed and the options that go with it; None of other cases."""
    model = onnx.load(case / "model.onnx")
    graph = model.graph
    if any(i.type.WhichOneof("value") != "tensor_type" for i in graph.input):
        return None
    olds = sorted({d.dim_value for i in graph.input for d in i.type.tensor_type.shape.dim if d.HasField("dim_value")})
    if not olds:
        return None
    old, new, form = dice.choice(olds), dice.choice(SIZES), dice.choice(("exact", "open", "bounded"))
    data = {}
    for index, value in enumerate(graph.input):
        array = array_of(case, index)
        if array.dtype.kind not in "iufb" or array.dtype.isbuiltin != 1:
            return None
        shape = list(array.shape)
        keeps = says_sizes(array) and dice.random() < 0.8
        for axis in [] if keeps else [a for a, size in enumerate(shape) if size == old]:
            shape[axis] = new
            dim = value.type.tensor_type.shape.dim[axis]
            if form == "exact":
                dim.dim_value = new
            else:
                dim.dim_param = "resized"
        data[value.name] = numpy.resize(array, shape) if array.size else numpy.zeros(shape, array.dtype)
    for value in graph.output:
        if value.type.WhichOneof("value") == "tensor_type":
            value.type.tensor_type.ClearField("shape")
    del graph.value_info[:]
    onnx.save(model, folder / "m.onnx")
    numpy.savez(folder / "data.npz", **data)
    options = ["-D", f"resized=0..{new + dice.choice((0, 1, 5))}"] if form == "bounded" else []
    return f"{old} is {new}, {form}", options


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lathe")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if not args.folder.is_dir():
        print(f"skipped: no {args.folder}")
        return SKIPPED
    cases = sorted(c for c in args.folder.iterdir() if (c / "model.onnx").is_file())
    counts, problems = {}, 0
    for number in range(args.count):
        dice = random.Random(args.seed * 1000003 + number)
        case = dice.choice(cases)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            try:
                change = resized(case, dice, folder)
            except (FileNotFoundError, TypeError, ValueError):
                change = None
            if change is None:
                continue
            target, (cc, flags) = dice.choice(list(TARGETS)), dice.choice(BUILDS)
            words = [args.lathe, "validate", folder / "m.onnx", "--data", folder / "data.npz", "-t", target, "--cc", cc,
                     "--cflags", f"{flags} {TARGETS[target]}".strip(), *change[1]]
            ran = subprocess.run(words, capture_output=True, text=True)
        counts[ran.returncode] = counts.get(ran.returncode, 0) + 1
        if ran.returncode not in FINE:
            problems += 1
            print(f"{case.name}: {change[0]}, {target}, {cc}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}", flush=True)
    print(f"exit codes: {dict(sorted(counts.items()))}; {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
