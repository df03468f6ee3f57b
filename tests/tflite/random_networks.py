#!/usr/bin/env python3
"""Compares random int8 networks with the interpreter, byte for byte: random_networks.py LATHE

Each model holds some networks of convolutions, depthwise convolutions, products, sums and pools:
sizes from 1, odd channels, strides, dilations, groups, unread and constant channels, weights of
-128 and of 4 bits, sums near their limits, one scale or one per channel. `lathe validate` compiles
it for each form: a target, and where it runs. The kernels of Cortex-M cores are portable C on the
host.
--rows draws products of one row, --edges sums on both sides of the limits of packed sums.
"""
import argparse
import concurrent.futures
import math
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "differential"))
import network_forms
from grid.maker import float32, packed
from model_writer import Model, Operator, Subgraph, Tensor, options

ADD, AVERAGE_POOL, CONV, DEPTHWISE, FULLY_CONNECTED, MAX_POOL, RESHAPE = 0, 1, 3, 4, 9, 17, 22
SAME, VALID = 0, 1
HOST = ["generic-c99", "cortex-m0", "cortex-m3", "cortex-m4", "cortex-m4+flash", "cortex-m55", "rv32imc", "interp:cortex-m3", "interp:cortex-m4",
        "interp:cortex-m55", "interp:rv32imc"]
# The assembly of each core, also where compilers leave it few registers.
BOARDS = ["cortex-m0@mps2-an385", "cortex-m3@mps2-an385", "cortex-m4@mps2-an386", "cortex-m4@mps2-an386+flash", "cortex-m55@mps3-an547",
          "cortex-m55@mps3-an547:-O0", "rv32imc@virt", "rv32imc@virt:-O0"]


class Network:
    """Draws one network; its tensors have the names of the model's number."""

    def __init__(self, rng, name):
        self.rng, self.name, self.operators, self.made = rng, name, [], 0
        self.input = self.result(self.shape(), rng.uniform(0.005, 0.1))
        self.outputs = []
        self.layers()

    def shape(self):
        return [self.rng.choice([1, 1, 1, 2, 3, 7]), self.size(), self.size(), self.channels()]

    def size(self):
        return self.rng.choice([1, 2, 3, 4, 5, 6, 7, 9])

    def channels(self):
        return self.rng.choice([1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 20])

    def result(self, shape, scale):
        self.made += 1
        zero = self.rng.choice([-128, 127, 0, self.rng.randint(-128, 127)])
        return Tensor("%s_%d" % (self.name, self.made), shape, "int8", [float32(scale)], [zero])

    def constant(self, shape, dtype, scales, values, axis=None):
        self.made += 1
        return Tensor("%s_%d" % (self.name, self.made), shape, dtype, scales, [0] * len(scales),
                      axis=axis, data=packed(dtype, values))

    def weights(self, columns, depth):
        """[columns][depth], in one of several styles."""
        rng = self.rng
        style = rng.choice(["all", "all", "small", "of 4 bits", "lowest", "large"])
        low, high = {"small": (-9, 9), "of 4 bits": (-8, 7), "lowest": (-128, 127), "large": (100, 127)}.get(style, (-127, 127))
        rows = [[rng.randint(low, high) for _ in range(depth)] for _ in range(columns)]
        if style == "lowest":
            rows = [[rng.choice([-128, w]) for w in row] for row in rows]
        if rng.random() < 0.4:  # constant columns
            rows = [[0] * depth if rng.random() < 0.5 else row for row in rows]
        return rows

    def layer(self, x, columns, depth, shape):
        """Weights of a layer, its bias and its result."""
        rng = self.rng
        rows = self.weights(columns, depth)
        each = rng.random() < 0.7
        scales = [float32(rng.uniform(0.001, 0.05)) for _ in range(columns if each else 1)]
        wide = max(scales) * x.scale[0]
        bias = [rng.randint(-2000, 2000) for _ in range(columns)]
        if rng.random() < 0.3:
            bias = [b if rng.random() < 0.6 else rng.choice([-1, 1]) * rng.choice([1 << 20, 1 << 30, 1500000000])
                    for b in bias]
        bias_scales = [float32(x.scale[0] * s) for s in scales]
        b = None if rng.random() < 0.1 else self.constant([columns], "int32", bias_scales, bias, 0)
        made = self.result(shape, wide * math.sqrt(depth) * 70 * rng.uniform(0.3, 3) * 70 / 127)
        return rows, scales, b, made

    def conv(self, x):
        rng = self.rng
        n, h, w, c = x.shape
        padding = rng.choice([SAME, VALID])
        kh, kw = rng.choice([(1, 1), (1, 1), (3, 3), (3, 3), (2, 3), (1, 4), (4, 1), (5, 5)])
        sh, sw, dh, dw = [rng.choice([1, 1, 1, 2]) for _ in range(4)]
        if padding == VALID and ((kh - 1) * dh >= h or (kw - 1) * dw >= w):
            padding = SAME
        out = [self.extent(h, kh, sh, dh, padding), self.extent(w, kw, sw, dw, padding)]
        depthwise = rng.random() < 0.4
        groups = rng.choice([g for g in (1, 1, 1, 2, 3) if c % g == 0])
        columns = c if depthwise else groups * rng.choice([1, 2, 3, 4, 5, 6, 8, 11, 16])
        depth = kh * kw * (1 if depthwise else c // groups)
        rows, scales, b, y = self.layer(x, columns, depth, [n] + out + [columns])
        activation = rng.choice([0, 0, 1, 3])
        if depthwise:
            values = [rows[c][k] for k in range(depth) for c in range(columns)]
            k = self.constant([1, kh, kw, columns], "int8", scales, values, 3)
            table = options(2, padding=padding, stride_h=sh, stride_w=sh, depth_multiplier=1,
                            dilation_h=dh, dilation_w=dw, activation=activation)
            out = [self.extent(h, kh, sh, dh, padding), self.extent(w, kw, sh, dw, padding)]
            y.shape = [n] + out + [columns]
        else:
            k = self.constant([columns, kh, kw, c // groups], "int8", scales, sum(rows, []), 0)
            table = options(1, padding=padding, stride_h=sh, stride_w=sw, dilation_h=dh, dilation_w=dw,
                            activation=activation)
        inputs = [x, k] + ([b] if b is not None or not depthwise else [])
        self.operators.append(Operator(DEPTHWISE if depthwise else CONV, inputs, [y], table))
        return y

    @staticmethod
    def extent(size, kernel, stride, dilation, padding):
        window = (kernel - 1) * dilation + 1
        return -(-size // stride) if padding == SAME else (size - window + stride) // stride

    def product(self, x):
        depth, columns = x.shape[-1], self.channels()
        rows, scales, b, y = self.layer(x, columns, depth, [x.shape[0], columns])
        k = self.constant([columns, depth], "int8", scales, sum(rows, []), 0)
        self.operators.append(Operator(FULLY_CONNECTED, [x, k, b], [y], options(8, activation=self.rng.choice([0, 1]))))
        return y

    def pool(self, x):
        y = Tensor("%s_pool%d" % (self.name, self.made), [x.shape[0], 1, 1, x.shape[3]], "int8", x.scale, x.zero)
        table = options(5, padding=VALID, stride_w=1, stride_h=1, filter_width=x.shape[2], filter_height=x.shape[1])
        self.operators.append(Operator(self.rng.choice([AVERAGE_POOL, MAX_POOL]), [x], [y], table))
        return y

    def flat(self, x):
        y = Tensor("%s_flat%d" % (self.name, self.made), [x.shape[0], math.prod(x.shape[1:])], "int8", x.scale, x.zero)
        self.operators.append(Operator(RESHAPE, [x], [y], options(17, new_shape=y.shape)))
        return y

    def layers(self):
        rng = self.rng
        x, seen = self.input, []
        for _ in range(rng.randint(1, 5)):
            x = self.conv(x)
            equal = [y for y in seen if y.shape == x.shape]
            if equal and rng.random() < 0.7:
                other = rng.choice(equal)
                y = self.result(x.shape, max(x.scale[0], other.scale[0]) * rng.uniform(0.7, 2.5))
                self.operators.append(Operator(ADD, [x, other], [y], options(11, activation=rng.choice([0, 1]))))
                x = y
            seen.append(x)
        if rng.random() < 0.4:
            x = self.product(self.flat(self.pool(x) if rng.random() < 0.5 else x))
            if rng.random() < 0.5:
                x = self.product(x)
        extra = [y for y in seen if y is not x and rng.random() < 0.1]
        self.outputs = [x] + extra


class RowNetwork(Network):
    """Products of one row with its weights, which have a form of their own on cores with the DSP extension."""

    def shape(self):
        return [1, self.channels()]

    def channels(self):
        return self.rng.choice([1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 31, 32, 63, 64, 128, 300])

    def layers(self):
        x = self.input
        for _ in range(self.rng.randint(1, 4)):
            x = self.product(x)
        self.outputs = [x]


class WindowNetwork(RowNetwork):
    """Windows as wide as the image, so that a line of the result is one row, with many weights."""

    def shape(self):
        return [self.rng.choice([1, 2]), self.rng.choice([3, 4, 6]), self.rng.choice([3, 5]), self.rng.choice([21, 32])]

    def layers(self):
        rng, x = self.rng, self.input
        n, h, w, c = x.shape
        kernel, stride, columns = rng.choice([3, min(h, 5)]), rng.choice([1, 2]), rng.choice([176, 180, 211])
        rows, scales, b, y = self.layer(x, columns, kernel * w * c, [n, self.extent(h, kernel, stride, 1, VALID), 1, columns])
        k = self.constant([columns, kernel, w, c], "int8", scales, sum(rows, []), 0)
        table = options(1, padding=VALID, stride_h=stride, stride_w=1, dilation_h=1, dilation_w=1, activation=rng.choice([0, 1]))
        self.operators.append(Operator(CONV, [x, k, b], [y], table))
        self.outputs = [self.product(self.flat(y)) if n == 1 and rng.random() < 0.5 else y]


class EdgeNetwork(Network):
    """Sums that reach the limits of packed sums, from both sides: a layer of -128 and 127 only, then one with few sums to spare."""

    def shape(self):
        return [1, self.rng.choice([1, 2, 3]), self.rng.choice([1, 2, 4, 4, 5]), 1]

    def conv_1x1(self, x, rows, bias, scales, zero):
        y = self.result(x.shape[:3] + [len(rows)], 1.0)
        y.zero = [zero]
        k = self.constant([len(rows), 1, 1, len(rows[0])], "int8", scales, sum(rows, []), 0)
        b = self.constant([len(rows)], "int32", scales, bias, 0)
        self.operators.append(Operator(CONV, [x, k, b], [y], options(1, padding=VALID, stride_h=1, stride_w=1, dilation_h=1, dilation_w=1)))
        return y

    def layers(self):
        rng, depth = self.rng, self.rng.choice([517, 518, 520, 600, 640, 769, 1023])
        self.input.scale, self.input.zero = [1.0], [0]
        far = self.conv_1x1(self.input, [[127]] * depth, [0] * depth, [0.9375], 0)
        kind = rng.choice(["second", "sum", "shift"])
        limit = 1 << 23 if kind != "sum" else rng.choice([1 << 29, 1 << 29, 1 << 30])
        over = -128 if kind == "shift" else rng.choice([-128, -1, 0, 0, 0, 1, 128])
        rows, bias = [], []
        for _ in range(rng.choice([1, 2, 3, 4, 4, 5, 8])):
            sign = rng.choice([-1, 1])
            # The bias of a sum of 24 bits is small or none, because packed rows do not hold it.
            total = rng.randint(40000, 65000) if kind == "sum" else (limit + over) // 128
            spread = total // depth
            rows.append([sign * (spread + (k < total - spread * depth)) for k in range(depth)])
            rest = limit + over - 128 * total
            bias.append(rng.choice([rest, rest, -rest] if kind == "sum" else [0, rest, -rest]))
        # The shifts are 22 and 23 on both sides of 2^-23.
        least = 1 - 2.0 ** -24
        scale = {"second": float32(rng.uniform(40, 200) / limit), "shift": rng.choice([2.0 ** -23 * least, 2.0 ** -23, 2.0 ** -24]),
                 "sum": rng.choice([2.0 ** -22, 2.0 ** -22 * least, 2.0 ** -23]) if limit == 1 << 29 else float32(rng.uniform(40, 200) / limit)}[kind]
        zero = rng.choice({"second": [-128, 0, 127], "sum": [-128, -128, 0], "shift": [127, 127, -128]}[kind])
        self.outputs = [self.conv_1x1(far, rows, bias, [scale] * len(rows), zero)]


def write_model(seed, networks, folder, shape=""):
    rng = random.Random(seed)
    kind = {"": Network, "rows": rng.choice([RowNetwork, RowNetwork, WindowNetwork]), "edges": EdgeNetwork}[shape]
    drawn = [kind(rng, "n%d" % i) for i in range(networks)]
    graph = Subgraph([n.input for n in drawn], sum((n.outputs for n in drawn), []),
                     sum((n.operators for n in drawn), []))
    path = Path(folder) / ("networks_%d.tflite" % seed)
    path.write_bytes(Model([graph]).write())
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    network_forms.add_options(parser, HOST + BOARDS)
    parser.add_argument("--rows", dest="shape", action="store_const", const="rows", default="", help="products of one row")
    parser.add_argument("--edges", dest="shape", action="store_const", const="edges", help="sums near the limits of packed sums")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        tasks = []
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            path = write_model(seed, arguments.networks, arguments.keep or scratch, arguments.shape)
            options = ["--data", "random:seed=%d" % (seed + 1), "--time-limit", "120"]
            tasks += [pool.submit(network_forms.difference, arguments, path, form, options) for form in arguments.forms]
        return network_forms.report(arguments, (task.result() for task in tasks))


if __name__ == "__main__":
    sys.exit(main())
