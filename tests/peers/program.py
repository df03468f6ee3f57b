"""A random program of one operator: its text, its parameters, and how they are drawn.

A case draws the parameters' values from the program it is given and returns the call as text. The
same seed draws the same program.
"""
import random

import numpy as np

try:
    import ml_dtypes
    BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:  # compares without bfloat16 then
    BFLOAT16 = np.dtype("float32")

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["float32", "float32", "float32", "float64", "float16", "bfloat16"]
NUMBERS = FLOATS + INTEGERS
ANY = NUMBERS + ["bool"]
SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0]


def numpy_dtype(name):
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


class Program:
    """The parameters that were drawn so far, and the ways to draw more."""

    def __init__(self, operator, seed):
        self.operator = operator
        self.seed = seed
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(self.random.getrandbits(63))
        self.arrays = []
        self.call = ""
        self.symbol = None  # the size that is written as the variable n
        self.slack = 1.0  # multiplies the tolerance
        self.rows_in_last = False  # the last result says how many rows of the others hold something
        self.note = ""  # what of the values an explanation may refer to

    # Choices ------------------------------------------------------------------------------------
    def one_of(self, *choices):
        return self.random.choice(choices[0] if len(choices) == 1 else choices)

    def chance(self, of_one):
        return self.random.random() < of_one

    def between(self, low, high):
        return self.random.randint(low, high)

    def axis(self, rank):
        """An axis of `rank`, counted from the end half of the time."""
        axis = self.random.randrange(rank)
        return axis - rank if self.chance(0.5) else axis

    def axes(self, rank, least=1):
        """Some axes without repetition, in any order, some counted from the end."""
        chosen = self.random.sample(range(rank), self.between(min(least, rank), rank))
        return [a - rank if self.chance(0.4) else a for a in chosen]

    # Shapes -------------------------------------------------------------------------------------
    def shape(self, low=0, high=5, empty=0.06, most=(9, 7, 5, 4, 3)):
        """A shape of rank low to high: ones are frequent, and a zero is there now and then."""
        rank = self.between(low, high)
        shape = [1 if self.chance(0.15) else self.between(1, most[max(rank - 1, 0)]) for _ in range(rank)]
        if rank and self.chance(empty):
            shape[self.random.randrange(rank)] = 0
        return tuple(shape)

    def broadcast_from(self, shape):
        """A shape that broadcasts to `shape`: leading dimensions missing, others one."""
        kept = shape[self.between(0, len(shape)):] if self.chance(0.3) else shape
        return tuple(1 if self.chance(0.25) else d for d in kept)

    # Values -------------------------------------------------------------------------------------
    def array(self, shape, dtype, low=-4.0, high=4.0, special=0.0):
        """Values between low and high; eighths where a dtype has few digits, so that sums are
        near exact; `special` is the share of NaN, infinities and zeros among floats."""
        if dtype == "bool":
            return self.numbers.random(shape) < 0.5
        if dtype in INTEGERS:
            low = max(low, 0) if dtype in UNSIGNED else low
            return self.numbers.integers(int(np.ceil(low)), int(high), shape, endpoint=True).astype(dtype)
        values = np.asarray(self.numbers.uniform(low, high, shape))
        if dtype in ("float16", "bfloat16"):
            values = np.clip(np.round(values * 8) / 8, np.ceil(low * 8) / 8, np.floor(high * 8) / 8)
        if special:
            chosen = np.asarray(self.numbers.random(shape) < special)
            values = np.where(chosen, self.numbers.choice(SPECIAL, shape), values)
        return values.astype(numpy_dtype(dtype))

    def ties(self, shape, dtype):
        """Returns few distinct values, so that ties occur."""
        return self.array(shape, dtype, -2, 2).round().astype(numpy_dtype(dtype)) if dtype != "bool" \
            else self.array(shape, dtype)

    def extremes(self, shape, dtype):
        """Integers with the least and the greatest of their dtype among them."""
        array = np.asarray(self.array(shape, dtype, -10, 10))
        info = np.iinfo(dtype)
        return np.where(self.numbers.random(shape) < 0.2,
                        self.numbers.choice(np.array([info.min, info.max], dtype), shape), array)

    def indices(self, shape, size, dtype=None, negative=False):
        dtype = dtype or self.one_of("int32", "int64")
        low = -size if negative else 0
        return self.numbers.integers(low, max(size, 1), shape).astype(dtype)

    # Parameters ---------------------------------------------------------------------------------
    def tensor(self, array):
        """A parameter with these values; gives its name."""
        self.arrays.append(np.asarray(array))
        return f"x{len(self.arrays) - 1}"

    def drawn(self, shape, dtype, **how):
        return self.tensor(self.array(shape, dtype, **how))

    def inputs(self):
        return {f"x{i}": array for i, array in enumerate(self.arrays)}

    # Text ---------------------------------------------------------------------------------------
    def make_symbolic(self):
        """One size greater than one becomes a variable, wherever parameters have it."""
        sizes = sorted({d for array in self.arrays for d in array.shape if d > 1})
        if sizes:
            self.symbol = self.one_of(sizes)

    def signature(self):
        def dims(shape):
            return "".join(('"n", ' if d == self.symbol else f"{d}, ") for d in shape).rstrip(" ")
        return ", ".join(f'x{i}: R.Tensor(({dims(a.shape)}), "{a.dtype.name}")'
                         for i, a in enumerate(self.arrays))

    def text(self):
        return ("@I.ir_module\nclass Module:\n    @R.function\n"
                f"    def main({self.signature()}):\n"
                "        with R.dataflow():\n"
                f"            y = {self.call}\n            R.output(y)\n        return y\n")

    def summary(self):
        given = f" with {self.signature()}" if self.arrays else ""
        return self.call + given + (f" ({self.note})" if self.note else "")
