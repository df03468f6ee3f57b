"""Runs one model for some steps on TFLM or LiteRT: step_oracle.py tflm|litert|litert-optimized MODEL STEPS SEED RESULT

Writes a pickled list of (inputs, outputs) of each step. Models that end the process end only this one.
"""
import functools
import pickle
import sys

import numpy


def drawn(random, shape, dtype):
    dtype = numpy.dtype(dtype)
    if dtype == numpy.float32:
        return random.normal(size=shape).astype(dtype)
    if dtype == numpy.bool_:
        return random.integers(0, 2, shape).astype(dtype)
    limits = numpy.iinfo(dtype)
    # Wide integers are mostly positions.
    low, high = (0, 4) if limits.bits > 16 else (limits.min, limits.max + 1)
    return random.integers(low, high, shape).astype(dtype)


def details_of(get):
    found = []
    while True:
        try:
            found.append(get(len(found)))
        except Exception:
            return found


def run_tflm(data, steps, random):
    from tflite_micro.python.tflite_micro import runtime
    model = runtime.Interpreter.from_bytes(data, arena_size=40_000_000)
    inputs = details_of(model.get_input_details)
    outputs = len(details_of(model.get_output_details))
    for _ in range(steps):
        arrays = [drawn(random, tuple(d["shape"]), d["dtype"]) for d in inputs]
        for i, array in enumerate(arrays):
            model.set_input(array, i)
        model.invoke()
        yield arrays, [numpy.array(model.get_output(k)) for k in range(outputs)]


def run_litert(data, steps, random, optimized=False):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES if optimized else OpResolverType.BUILTIN_REF
    model = Interpreter(model_content=data, experimental_op_resolver_type=kernels)
    model.allocate_tensors()
    for _ in range(steps):
        arrays = [drawn(random, tuple(d["shape"]), d["dtype"]) for d in model.get_input_details()]
        for d, array in zip(model.get_input_details(), arrays):
            model.set_tensor(d["index"], array)
        model.invoke()
        yield arrays, [model.get_tensor(d["index"]).copy() for d in model.get_output_details()]


def main():
    which, path, steps, seed, result = sys.argv[1:]
    run = {"tflm": run_tflm, "litert": run_litert,
           "litert-optimized": functools.partial(run_litert, optimized=True)}[which]
    with open(path, "rb") as file:
        data = file.read()
    made = list(run(data, int(steps), numpy.random.default_rng(int(seed))))
    with open(result, "wb") as file:
        pickle.dump(made, file)


if __name__ == "__main__":
    main()
