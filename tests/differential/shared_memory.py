#!/usr/bin/env python3
"""Compares kernels whose input and output share memory with the interpreter: shared_memory.py LATHE

Each module is a chain of kernels that a user wrote: loops in any order, indices that are turned,
shifted, strided or clamped, several reads, stores in two passes, branches. `lathe validate` plans
them with overlaps and compares the result. An input that starts too close above its output gives
other numbers.
"""
import random
import sys

from validated_modules import arguments_parser, compare

HEAD = '''from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
'''
KERNEL = '''    @T.prim_func(private=True)
    def %s(%s):
%s
'''


class Chain:
    """Draws the kernels of one module."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.dtype = self.rng.choice(["int8", "int16", "int32", "float32"])
        self.elementwise = self.rng.choice([0.2, 0.5, 0.9])  # the share of such kernels
        self.kernels, self.calls, self.live = [], [], []
        shape = [self.rng.choice([1, 4, 7, 8, 12]) for _ in range(self.rng.choice([1, 2, 2, 2, 3]))]
        self.first = shape
        self.live.append(("a", shape))
        for number in range(self.rng.randint(4, 12)):
            self.add("v%d" % number)

    def tensor(self, shape):
        return "((%s,), \"%s\")" % (", ".join(map(str, shape)), self.dtype)

    def read(self, name, shape, index, plain):
        """An element of `name`, by loop variables of an output with `len(index)` dimensions."""
        places = []
        for d, size in enumerate(shape):
            var, extent = index[d % len(index)]
            kind = "same" if plain else self.rng.choice(["same", "same", "same", "shift", "turn", "double", "first"])
            place = {"same": var, "shift": "%s + %d" % (var, self.rng.choice([-2, -1, 1, 2])),
                     "turn": "%d - %s" % (extent - 1, var), "double": var + " * 2", "first": "0"}[kind]
            if kind != "first" and (kind not in ("same", "turn") or extent > size):
                place = "T.min(T.max(%s, 0), %d)" % (place, size - 1)
            places.append(place)
        return "%s[%s]" % (name, ", ".join(places))

    def add(self, result):
        rng = self.rng
        sources = [self.live[-1]]
        if len(self.live) > 1 and rng.random() < 0.4:
            sources.append(rng.choice(self.live[:-1]))
        shape = [size if rng.random() < 0.6 else rng.choice([max(1, size // 2), max(1, size - 3), size + 1, size + 4])
                 for size in sources[0][1]]
        if rng.random() < 0.15:
            shape.reverse()
        index = [("i%d" % d, size) for d, size in enumerate(shape)]
        names = ["x", "z"][:len(sources)]
        place = ["%d - %s" % (size - 1, var) if rng.random() < 0.15 else var for var, size in index]
        plain = rng.random() < self.elementwise
        value = " + ".join(self.read(name, source[1], index, plain) for name, source in zip(names, sources)
                           for _ in range(1 if plain else rng.choice([1, 1, 2])))
        if not plain:
            value = self.branch(value, names, sources, index)
        lines = self.nest(index, "y[%s] = %s" % (", ".join(place), value))
        if not plain and rng.random() < 0.25:  # a second pass, which still reads
            lines += self.nest(index, "y[{0}] = y[{0}] + {1}".format(
                ", ".join(var for var, _ in index), self.read("x", sources[0][1], index, False)))
        params = ["%s: T.Buffer%s" % (name, self.tensor(source[1])) for name, source in zip(names, sources)]
        params.append("y: T.Buffer" + self.tensor(shape))
        kernel = "k_" + result
        self.kernels.append(KERNEL % (kernel, ", ".join(params), "\n".join(lines)))
        self.calls.append("%s = R.call_tir(Module.%s, (%s,), R.Tensor%s)" %
                          (result, kernel, ", ".join(source[0] for source in sources), self.tensor(shape)))
        self.live.append((result, shape))
        if len(self.live) > 3:
            self.live.pop(rng.randrange(len(self.live) - 1))

    def branch(self, value, names, sources, index):
        if self.rng.random() < 0.8:
            return value
        other = self.read(names[0], sources[0][1], index, False)
        form = self.rng.choice(["T.if_then_else(%s < %d, %s, %s)", "T.Select(%s < %d, %s, %s)"])
        return form % (index[0][0], index[0][1] // 2, value, other)

    def nest(self, index, body):
        loops = list(index)
        if self.rng.random() < 0.7:
            self.rng.shuffle(loops)
        lines, indent = [], "        "
        for var, size in loops:
            lines.append("%sfor %s in range(%d):" % (indent, var, size))
            indent += "    "
        return lines + [indent + body]

    def text(self):
        last = self.live[-1][0]
        results = [last] + [name for name, _ in self.live[:-1] if name != "a" and self.rng.random() < 0.3]
        lines = ["a = R.negative(given)"] + self.calls
        lines += ["o%d = R.negative(%s)" % pair for pair in enumerate(results)]
        lines.append("return (%s,)" % ", ".join("o%d" % i for i in range(len(results))))
        return (HEAD + "\n".join(self.kernels) + "\n    @R.function\n    def main(given: R.Tensor%s):\n        " %
                self.tensor(self.first) + "\n        ".join(lines) + "\n")


def words(seed):
    # Small alignments let distances of few bytes differ.
    targets = [["--no-fuse", "-t", "avr8"], ["-t", "cortex-m0"], ["--no-fuse", "-t", "generic-c99"]]
    return targets[seed % 3] + ["--cflags", "-O1"]


def main():
    arguments = arguments_parser(__doc__).parse_args()
    return compare(arguments, "chain", lambda seed: Chain(seed).text(), words)


if __name__ == "__main__":
    sys.exit(main())
