"""Draws the parts of one-operator models: shapes, scales, zero points and elements.

Every draw follows from the name of the case and uses nothing but random.Random.random(), whose
sequence does not change between versions of Python.
"""
import math
import random
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from model_writer import Operator, Tensor, options, packed_int4  # noqa: F401

CODES = {"float32": "f", "int8": "b", "uint8": "B", "int16": "h", "int32": "i", "int64": "q",
         "bool": "?", "uint32": "I", "uint16": "H", "float16": "e", "float64": "d", "uint64": "Q",
         "complex64": "f"}  # two for each element
RANGES = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-32768, 32767),
          "int32": (-2**31, 2**31 - 1), "int64": (-2**63, 2**63 - 1), "bool": (0, 1),
          "uint32": (0, 2**32 - 1), "uint64": (0, 2**64 - 1), "uint16": (0, 65535), "int4": (-8, 7)}
NONE, RELU, RELU_N1_TO_1, RELU6, TANH = range(5)


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def count(shape):
    return math.prod(shape)


def packed(dtype, values):
    if dtype == "int4":
        return packed_int4(values)
    return struct.pack("<%d%s" % (len(values), CODES[dtype]), *values)


class Case:
    """An operator of a model of its own: the tensors, and the bytes of those that are inputs."""

    def __init__(self, code, inputs, outputs, table=None, oracle=None):
        """`oracle`: "litert" where TFLite Micro computes something undefined, and "litert-optimized"
        where only the optimized kernels of LiteRT compute the operator."""
        self.operator = Operator(code, inputs, outputs, table)
        self.oracle = oracle
        self.feeds = [t for t in inputs if t is not None and t.data is None and not t.variable]
        seen = set()
        self.feeds = [t for t in self.feeds if not (id(t) in seen or seen.add(id(t)))]
        self.outputs = outputs
        self.name = ""
        self.bodies = []  # subgraphs; options_of gives the options for the number of the first
        self.steps = 1  # runs, each with its part of every feed
        self.defined = lambda step: step  # the results of a run, without what TFLite leaves unwritten

    def bytes_of(self, tensor):
        return tensor.feed


SPECIAL_REALS = [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, 1.0, -1.0, 6.0, 1e-40, -1e-40, 1e-8, 1e6,
                 -1e6]


def with_special_elements(case):
    """Replaces half of the elements that are given to the case: floats by numbers at which functions
    change, integers by the ends of their range."""
    m = Maker("special " + case.name)
    for tensor in case.feeds:
        if tensor.dtype == "float32":
            special = SPECIAL_REALS
        elif tensor.dtype in ("int8", "uint8", "int16") and tensor.scale:
            low, high = RANGES[tensor.dtype]
            special = [low, low + 1, high, high - 1, tensor.zero[0] if tensor.zero else 0]
        else:
            continue  # positions, sizes
        code = CODES[tensor.dtype]
        elements = list(struct.unpack("<%d%s" % (count(tensor.shape), code), tensor.feed))
        elements = [m.pick(special) if m.chance() else e for e in elements]
        tensor.feed = packed(tensor.dtype, elements)
    return case


class Maker:
    def __init__(self, name):
        self.random = random.Random(name)
        self.made = 0

    def chance(self, part=0.5):
        return self.random.random() < part

    def integer(self, low, high):
        """Between low and high, both included."""
        return low + int(self.random.random() * (high - low + 1))

    def pick(self, values):
        return values[self.integer(0, len(values) - 1)]

    def real(self, low, high):
        return low + (high - low) * self.random.random()

    def scale(self, low=1e-3, high=0.5):
        return float32(math.exp(self.real(math.log(low), math.log(high))))

    def zero(self, dtype):
        low, high = RANGES[dtype]
        return self.pick([0, low, high, self.integer(low, high), self.integer(low, high)])

    def shape(self, low=1, high=4, most=6, size=200):
        while True:
            shape = [self.integer(1, most) for _ in range(self.integer(low, high))]
            if count(shape) <= size:
                return shape

    def shuffled(self, values):
        values = list(values)
        for i in range(len(values) - 1, 0, -1):
            j = self.integer(0, i)
            values[i], values[j] = values[j], values[i]
        return values

    def elements(self, dtype, n, low=None, high=None):
        if dtype in ("float32", "float16", "float64"):
            low, high = (-8, 8) if low is None else (low, high)
            values = [self.real(low, high) for _ in range(n)]
            return [float32(v) if dtype == "float32" else v for v in values]
        if low is None:
            low, high = RANGES[dtype] if dtype not in ("int32", "int64", "uint32") else \
                ((0 if dtype == "uint32" else -1000), 1000)
        if dtype == "bool":
            return [self.chance() for _ in range(n)]
        return [self.integer(low, high) for _ in range(n)]

    def tensor(self, shape, dtype="float32", scale=None, zero=None, constant=False, values=None,
               low=None, high=None, axis=None):
        """A tensor with elements: a constant, or one that the runner feeds."""
        self.made += 1
        if values is None:
            values = self.elements(dtype, count(shape), low, high)
        data = packed(dtype, values)
        made = Tensor("x%d" % self.made, shape, dtype, scale, zero, axis,
                      data if constant else None)
        made.feed = None if constant else data
        made.values = values
        return made

    def quantized(self, shape, dtype, scale=None, zero=None, **more):
        """The same with a scale and, for bytes, a zero point."""
        scale = self.scale() if scale is None else float32(scale)
        if zero is None:
            zero = self.zero(dtype) if dtype in ("int8", "uint8") else 0
        return self.tensor(shape, dtype, scale, zero, **more)

    def ints(self, values, dtype="int32"):
        return self.tensor([len(values)], dtype, constant=True, values=list(values))

    def scalar(self, value, dtype="int32"):
        return self.tensor([], dtype, constant=True, values=[value])

    def result(self, shape, dtype="float32", scale=None, zero=None):
        self.made += 1
        return Tensor("y%d" % self.made, shape, dtype, None if scale is None else float32(scale),
                      zero)

    def like(self, tensor, shape):
        """A result with the type and quantization of another tensor."""
        self.made += 1
        return Tensor("y%d" % self.made, shape, tensor.dtype, tensor.scale, tensor.zero)


def fed(make, *places):
    """The cases of `make` with inputs that are data in place of constants."""
    def change(m):
        case = make(m)
        inputs = list(case.operator.inputs)
        for i in places:
            inputs[i] = m.tensor(inputs[i].shape, inputs[i].dtype, values=inputs[i].values)
        return Case(case.operator.code, inputs, case.outputs, case.operator.options)
    return change
