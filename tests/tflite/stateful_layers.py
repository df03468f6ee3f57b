#!/usr/bin/env python3
"""Compares random recurrent layers and variables, over several steps, with TFLM:
stateful_layers.py LATHE [--oracle PYTHON] [--count N]

Exits with 77 where the oracle is not installed. Needs numpy.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from compare_models import compare  # noqa: E402
from model_writer import Model, Operator, Subgraph, Tensor, options  # noqa: E402

ADD, SVDF, LSTM, LESS, WHILE = 0, 27, 44, 58, 119
CALL_ONCE, VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE = 129, 142, 143, 144
SKIPPED = 77


class Layers:
    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)

    def size(self, low=1, high=5):
        return int(self.random.integers(low, high + 1))

    def scale(self, low, high):
        return float(numpy.exp(self.random.uniform(numpy.log(low), numpy.log(high))))

    def bytes(self, *shape):
        return self.random.integers(-127, 128, shape).astype(numpy.int8)

    def floats(self, *shape):
        return self.random.normal(size=shape).astype(numpy.float32)

    def weights(self, name, dtype, shape):
        """Four matrices, and their scales."""
        if dtype == "float32":
            return [Tensor("%s%d" % (name, k), shape, data=self.floats(*shape)) for k in range(4)]
        return [Tensor("%s%d" % (name, k), shape, "int8", self.scale(2e-3, 5e-2), 0,
                       data=self.bytes(*shape)) for k in range(4)]

    def lstm(self, dtype):
        steps, batch, width, units = (self.size() for _ in range(4))
        time_major = bool(self.random.integers(2))
        order = lambda last: [steps, batch, last] if time_major else [batch, steps, last]
        w = self.weights("w", dtype, (units, width))
        r = self.weights("r", dtype, (units, units))
        if dtype == "float32":
            x, y = Tensor("x", order(width)), Tensor("y", order(units))
            hidden = Tensor("hidden", [batch, units], variable=True)
            cell = Tensor("cell", [batch, units], variable=True)
            bias = [Tensor("b%d" % k, [units], data=self.floats(units)) for k in range(4)]
            inner = []
        else:
            byte = dtype == "int8"
            zero = lambda: int(self.random.integers(-20, 20)) if byte else 0
            x = Tensor("x", order(width), dtype, self.scale(2e-3, 0.1) / (1 if byte else 200), zero())
            scale, point = (1 / 128, zero()) if byte else (1 / 32768, 0)
            y = Tensor("y", order(units), dtype, scale, point)
            hidden = Tensor("hidden", [batch, units], dtype, scale, point, variable=True)
            cell = Tensor("cell", [batch, units], "int16", 2.0 ** -self.size(9, 13), 0, variable=True)
            wide = "int32" if byte else "int64"
            bias = [Tensor("b%d" % k, [units], wide, x.scale[0] * w[k].scale[0], 0,
                           data=self.random.integers(-500, 500, units).astype(wide))
                    for k in range(4)]
            inner = [Tensor("gate%d" % k, [0], "int16", 2.0 ** -12, 0) for k in range(4)]
            inner.append(Tensor("gate4", [0], "int8", 1 / 128, 0))
        inputs = [x, *w, *r, *[None] * 3, *bias, *[None] * 2, hidden, cell, *[None] * 4]
        table = options(71, activation=4, cell_clip=float(self.random.choice([0, 0.5, 10])),
                        time_major=int(time_major))
        return Model([Subgraph([x], [y], [Operator(LSTM, inputs, [y], table, intermediates=inner)])])

    def svdf(self, kept):
        batch, features, rank, units, memory = (self.size(1, 4) for _ in range(5))
        filters = rank * units
        if kept == "float32":
            x, y = Tensor("x", [batch, features]), Tensor("y", [batch, units])
            feature = Tensor("f", [filters, features], data=self.floats(filters, features))
            time = Tensor("t", [filters, memory], data=self.floats(filters, memory))
            bias = Tensor("b", [units], data=self.floats(units))
            state = Tensor("s", [batch, filters * memory], variable=True)
        else:
            zero = int(self.random.integers(-9, 9)) if kept == "int8" else 0
            of_state = self.scale(1e-2, 5e-2) / (1 if kept == "int8" else 30)
            of_time = self.scale(5e-3, 2e-2)
            x = Tensor("x", [batch, features], "int8", self.scale(1e-2, 1e-1), 3)
            y = Tensor("y", [batch, units], "int8", self.scale(1e-2, 1e-1), -7)
            feature = Tensor("f", [filters, features], "int8", self.scale(1e-2, 4e-2), 0,
                             data=self.bytes(filters, features))
            time = Tensor("t", [filters, memory], kept, of_time, 0,
                          data=self.bytes(filters, memory).astype(kept))
            bias = Tensor("b", [units], "int32", of_state * of_time, 0,
                          data=self.random.integers(-300, 300, units).astype("int32"))
            state = Tensor("s", [batch, filters * memory], kept, of_state, zero, variable=True)
        table = options(6, rank=rank, activation=1)
        return Model([Subgraph([x], [y], [Operator(SVDF, [x, feature, time, bias, state], [y], table)])])

    def counter(self):
        """A resource variable that a subgraph sets in the first run."""
        shape = [self.size()]
        x, y, read = Tensor("x", shape), Tensor("y", shape), Tensor("v", shape)
        own, other = Tensor("h", [], "resource"), Tensor("h", [], "resource")
        first = Tensor("first", shape, data=self.floats(*shape))
        named = lambda: options(111, container="", shared_name="sum")
        main = Subgraph([x], [y], [
            Operator(CALL_ONCE, [], [], options(103, init_subgraph=1)),
            Operator(VAR_HANDLE, [], [own], named()), Operator(READ_VARIABLE, [own], [read]),
            Operator(ADD, [x, read], [y], options(11)), Operator(ASSIGN_VARIABLE, [own, y], [])])
        start = Subgraph([], [], [Operator(VAR_HANDLE, [], [other], named()),
                                  Operator(ASSIGN_VARIABLE, [other, first], [])])
        return Model([main, start])

    def loop(self):
        """A variable that the body of a loop changes."""
        named = lambda: options(111, container="", shared_name="sum")
        handle = lambda: Tensor("h", [], "resource")
        shape = [self.size()]

        def read_and_add(x, y):
            own, old = handle(), Tensor("old", shape)
            return [Operator(VAR_HANDLE, [], [own], named()),
                    Operator(READ_VARIABLE, [own], [old]),
                    Operator(ADD, [x, old], [y], options(11)),
                    Operator(ASSIGN_VARIABLE, [own, y], [])]

        limit = Tensor("limit", [1], "int32", data=numpy.array([self.size(0, 4)], "int32"))
        one = Tensor("one", [1], "int32", data=numpy.array([1], "int32"))
        i, go, ignored = Tensor("i", [1], "int32"), Tensor("go", [1], "bool"), Tensor("x", shape)
        condition = Subgraph([i, ignored], [go], [Operator(LESS, [i, limit], [go])])
        j, k = Tensor("i", [1], "int32"), Tensor("k", [1], "int32")
        x, y = Tensor("x", shape), Tensor("y", shape)
        body = Subgraph([j, x], [k, y],
                        [Operator(ADD, [j, one], [k], options(11)), *read_and_add(x, y)])
        start = Tensor("start", [1], "int32", data=numpy.array([0], "int32"))
        a, b, c = (Tensor(t, shape) for t in "abc")
        count = Tensor("count", [1], "int32")
        main = Subgraph([a], [c], [
            Operator(WHILE, [start, a], [count, b], options(93, cond_subgraph=1, body_subgraph=2)),
            *read_and_add(b, c)])
        return Model([main, condition, body])

    def models(self):
        for dtype in ("float32", "int8", "int16"):
            yield "lstm " + dtype, self.lstm(dtype)
        for kept in ("float32", "int8", "int16"):
            yield "svdf " + kept, self.svdf(kept)
        yield "counter", self.counter()
        yield "loop", self.loop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    parser.add_argument("--oracle", default=sys.executable)
    parser.add_argument("--count", type=int, default=20)
    arguments = parser.parse_args()
    arguments.litert, arguments.steps, arguments.target = arguments.oracle, 4, "generic-c99"
    known = subprocess.run([arguments.oracle, "-c", "import tflite_micro"], capture_output=True)
    if known.returncode != 0:
        print("skipped: the oracle has no tflite_micro")
        return SKIPPED
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.tflite")
        for seed in range(arguments.count):
            for name, model in Layers(seed).models():
                pathlib.Path(path).write_bytes(model.write())
                kind, text = compare(arguments, path)
                if kind == "equal to tflm":
                    passed += 1
                else:
                    failed += 1
                    print("%s, seed %d: %s %s" % (name, seed, kind, text))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
