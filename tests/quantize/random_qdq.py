#!/usr/bin/env python3
"""Compares random networks between R.dequantize and R.quantize, byte for byte: random_qdq.py LATHE

Each program has one function with some networks of convolutions, depthwise convolutions, products and
sums: sizes from 1, odd channels, strides, dilations, int8 and uint8 activations, weights of -128 and of
4 bits, one scale or one per channel, large biases, relu and clip, operators that move elements.
`lathe run` gives the results of the portable form; `lathe validate` compiles the form of each target, and
compares with them. The kernels of all forms round once and have to agree in every bit. The kernels of
Cortex-M cores are portable C on the host.
"""
import argparse
import concurrent.futures
import io
import random
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "differential"))
import network_forms

HOST = ["generic-c99", "cortex-m0", "cortex-m3", "cortex-m4", "cortex-m4+flash", "cortex-m55", "rv32imc", "x86-64-v3"]
# The assembly of each core, also where compilers leave it few registers.
BOARDS = ["cortex-m0@mps2-an385", "cortex-m3@mps2-an385", "cortex-m3@mps2-an385:-O0", "cortex-m4@mps2-an386",
          "cortex-m4@mps2-an386:-O0", "cortex-m55@mps3-an547", "cortex-m55@mps3-an547:-O0", "rv32imc@virt",
          "rv32imc@virt:-O0"]


def float_list(values):
    return "[" + ", ".join("%.9g" % v for v in values) + "]"


class Network:
    """Draws one network. Values are (name, shape, scale, zero point); shapes of images are NCHW."""

    def __init__(self, rng, name):
        self.rng, self.name, self.made, self.lines = rng, name, 0, []
        self.dtype, self.lowest = rng.choice([("int8", -128), ("int8", -128), ("uint8", 0)])
        shape = [self.batch(), self.channels(), self.size(), self.size()]
        self.input = (name, shape, rng.uniform(0.005, 0.1), self.zero())
        self.result = self.layers()

    def batch(self):
        return self.rng.choice([1, 1, 1, 2, 3])

    def size(self):
        return self.rng.choice([1, 2, 3, 4, 5, 6, 7, 9])

    def channels(self):
        return self.rng.choice([1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 20])

    def zero(self):
        return self.rng.choice([0, 0, 255, 128, self.rng.randint(0, 255)]) + self.lowest

    def bind(self, text):
        self.made += 1
        name = "%s_%d" % (self.name, self.made)
        self.lines.append("            %s = %s" % (name, text))
        return name

    def real(self, x):
        name, _, scale, zero = x
        return self.bind('R.dequantize(%s, R.const(%.9g, "float32"), R.const(%d, "%s"), out_dtype="float32", axis=1)'
                         % (name, scale, zero, self.dtype))

    def quantized(self, value, shape, scale):
        zero = self.zero()
        name = self.bind('R.quantize(%s, R.const(%.9g, "float32"), R.const(%d, "%s"), out_dtype="%s", axis=1)'
                         % (value, scale, zero, self.dtype, self.dtype))
        return name, shape, scale, zero

    def constant(self, values, shape, dtype, scales, axis):
        array = 'R.const(%s, "%s")' % (nested(values, shape), dtype)
        if len(scales) == 1:
            numbers = 'R.const(%.9g, "float32"), R.const(0, "%s")' % (scales[0], dtype)
        else:
            numbers = 'R.const(%s, "float32"), R.const(%s, "%s")' % (float_list(scales), [0] * len(scales), dtype)
        return self.bind('R.dequantize(%s, %s, out_dtype="float32", axis=%d)' % (array, numbers, axis))

    def weights(self, columns, depth):
        rng = self.rng
        style = rng.choice(["all", "all", "small", "four", "four", "lowest", "large"])
        low, high = {"small": (-9, 9), "four": (-8, 7), "lowest": (-128, 127), "large": (100, 127)}.get(style, (-127, 127))
        rows = [[rng.randint(low, high) for _ in range(depth)] for _ in range(columns)]
        if style == "lowest":
            rows = [[rng.choice([-128, w]) for w in row] for row in rows]
        if rng.random() < 0.2:
            rows = [[0] * depth if rng.random() < 0.5 else row for row in rows]
        return rows

    def dtype_of(self, rows):
        """The dtype of the constant. Kernels pack weights that fit 4 bits, whatever it is."""
        fits = all(-8 <= weight <= 7 for row in rows for weight in row)
        return "int4" if fits and self.rng.random() < 0.5 else "int8"

    def numbers(self, x, columns, depth):
        """Weights, their scales, biases in units of the sums, and a scale that results of typical sums fill."""
        rng = self.rng
        rows = self.weights(columns, depth)
        scales = [rng.uniform(0.001, 0.05) for _ in range(columns if rng.random() < 0.7 and columns > 1 else 1)]
        bias = [rng.randint(-2000, 2000) for _ in range(columns)]
        if rng.random() < 0.15:
            bias = [b if rng.random() < 0.6 else rng.choice([-1, 1]) * rng.choice([1 << 20, 1 << 29]) for b in bias]
        typical = max(sum(abs(w) for w in row) for row in rows) * 40 + 500
        if rng.random() < 0.7:
            typical = max(typical, max(abs(b) for b in bias) * 30)
        out = typical * max(scales) * x[2] / rng.choice([20, 100, 100, 400])
        return rows, scales, bias, out

    def activated(self, value, scale):
        which = self.rng.choice(["", "", "relu", "relu", "clip"])
        if which == "relu":
            return self.bind("R.nn.relu(%s)" % value)
        if which == "clip":
            low, high = sorted(self.rng.uniform(-130, 130) * scale for _ in range(2))
            return self.bind("R.clip(%s, R.prim_value(%.9g), R.prim_value(%.9g))" % (value, low, high))
        return value

    def biased(self, value, bias, scales, x, shape):
        if self.rng.random() < 0.15:
            return value
        units = [s * x[2] for s in scales]
        vector = self.constant(bias, [len(bias)], "int32", units, 0)
        if len(shape) == 4:
            vector = self.bind("R.reshape(%s, R.shape([1, %d, 1, 1]))" % (vector, shape[1]))
        return self.bind("R.add(%s, %s)" % (value, vector))

    def convolution(self, x, depthwise):
        rng, (_, shape, _, _) = self.rng, x
        n, c, h, w = shape
        kernel = [rng.choice([1, 2, 3, 3, 5]) if not depthwise else rng.choice([3, 3, 3, 2, 5]) for _ in range(2)]
        stride = [rng.choice([1, 1, 1, 2, 3]) for _ in range(2)]
        dilation = [rng.choice([1, 1, 1, 2]) for _ in range(2)]
        pads = [rng.choice([0, 1, 1, 2]) for _ in range(4)]
        out = [(size + pads[i] + pads[i + 2] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1
               for i, size in enumerate((h, w))]
        if min(out) < 1:
            return None
        columns = c if depthwise else self.channels()
        each = kernel[0] * kernel[1] * (1 if depthwise else c)
        rows, scales, bias, scale = self.numbers(x, columns, each)
        data = self.real(x)
        flat = [v for row in rows for v in row]
        weights = self.constant(flat, [columns, 1 if depthwise else c] + kernel, self.dtype_of(rows), scales, 0)
        made = self.bind('R.nn.conv2d(%s, %s, strides=%s, padding=%s, dilation=%s, groups=%d, data_layout="NCHW", '
                         'kernel_layout="OIHW", out_layout="NCHW", out_dtype="float32")'
                         % (data, weights, stride, pads, dilation, c if depthwise else 1))
        shape = [n, columns] + out
        made = self.biased(made, bias, scales, x, shape)
        return self.quantized(self.activated(made, scale), shape, scale)

    def product(self, x):
        _, shape, scale, zero = x
        if len(shape) == 4:
            size = shape[1] * shape[2] * shape[3]
            x = (self.bind("R.reshape(%s, R.shape([%d, %d]))" % (x[0], shape[0], size)), [shape[0], size], scale, zero)
        n, depth = x[1]
        columns = self.channels()
        rows, scales, bias, scale = self.numbers(x, columns, depth)
        data = self.real(x)
        flat = [rows[c][k] for k in range(depth) for c in range(columns)]
        weights = self.constant(flat, [depth, columns], self.dtype_of(rows), scales, 1)
        made = self.bind('R.matmul(%s, %s, out_dtype="float32")' % (data, weights))
        made = self.biased(made, bias, scales, x, [n, columns])
        return self.quantized(self.activated(made, scale), [n, columns], scale)

    def total(self, x, y):
        scale = (x[2] + y[2]) * self.rng.uniform(0.3, 1)
        made = self.bind("R.add(%s, %s)" % (self.real(x), self.real(y)))
        return self.quantized(self.activated(made, scale), x[1], scale)

    def moved(self, x):
        """Applies an operator that moves the integers."""
        name, shape, scale, zero = x
        n, c, h, w = shape
        which = self.rng.choice(["permute", "reshape", "pool", "concat", "flip"])
        if which == "permute":
            return self.bind("R.permute_dims(%s, axes=[0, 1, 3, 2])" % name), [n, c, w, h], scale, zero
        if which == "reshape":
            return self.bind("R.reshape(%s, R.shape([%d, %d, %d, %d]))" % (name, n, c, h * w, 1)), [n, c, h * w, 1], scale, zero
        if which == "pool":
            pooled = self.bind("R.nn.max_pool2d(%s, pool_size=[2, 2], strides=[1, 1], padding=[1, 0, 0, 1])" % name)
            return pooled, shape, scale, zero
        if which == "concat":
            return self.bind("R.concat((%s, %s), axis=1)" % (name, name)), [n, 2 * c, h, w], scale, zero
        return self.bind("R.flip(%s, axis=2)" % name), shape, scale, zero

    def layers(self):
        rng, x, seen = self.rng, self.input, []
        for _ in range(rng.randint(1, 4)):
            made = self.convolution(x, rng.random() < 0.4)
            x = made if made is not None else x
            if rng.random() < 0.25:
                x = self.moved(x)
            if rng.random() < 0.3:
                like = [y for y in seen if y[1] == x[1] and y is not x]
                if like:
                    x = self.total(x, rng.choice(like))
            seen.append(x)
        return self.product(x) if rng.random() < 0.5 or x is self.input else x


class RowNetwork(Network):
    """Products of one row."""

    def batch(self):
        return 1

    def size(self):
        return self.rng.choice([1, 1, 2, 3])

    def channels(self):
        return self.rng.choice([1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 31, 32, 64, 130])

    def layers(self):
        x = self.input
        for _ in range(self.rng.randint(1, 4)):
            x = self.product(x)
        return x


class DeepNetwork(Network):
    """Many layers on one larger image, so that kernels are joined over the lines of images."""

    def batch(self):
        return 1

    def size(self):
        return self.rng.choice([1, 2, 4, 5, 6, 8, 9, 12, 13, 16])

    def channels(self):
        return self.rng.choice([1, 3, 4, 4, 5, 8, 8, 9, 16])

    def convolution(self, x, depthwise):
        rng, (_, shape, _, _) = self.rng, x
        n, c, h, w = shape
        kernel, stride, pads = [1, 1], [1, 1], [0] * 4
        if rng.random() < 0.7:
            kernel = [rng.choice([1, 2, 3, 3, 3, 5]) for _ in range(2)]
            stride = [rng.choice([1, 1, 1, 2, 2, 3]) for _ in range(2)]
            pads = [rng.choice([0, 0, 1, 1, 2, 3]) for _ in range(4)] if rng.random() < 0.7 else pads
        dilation = [rng.choice([1, 1, 1, 1, 2]) for _ in range(2)]
        groups, columns = 1, self.channels()
        if depthwise:
            groups, columns = c, c * rng.choice([1, 1, 1, 2])
        elif c % 2 == 0 and rng.random() < 0.1:
            groups, columns = 2, 2 * rng.choice([1, 2, 4])
        out = [(size + pads[i] + pads[i + 2] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1
               for i, size in enumerate((h, w))]
        if min(out) < 1:
            return None
        rows, scales, bias, scale = self.numbers(x, columns, kernel[0] * kernel[1] * (c // groups))
        data = self.real(x)
        flat = [v for row in rows for v in row]
        weights = self.constant(flat, [columns, c // groups] + kernel, self.dtype_of(rows), scales, 0)
        made = self.bind('R.nn.conv2d(%s, %s, strides=%s, padding=%s, dilation=%s, groups=%d, data_layout="NCHW", '
                         'kernel_layout="OIHW", out_layout="NCHW", out_dtype="float32")'
                         % (data, weights, stride, pads, dilation, groups))
        shape = [n, columns] + out
        made = self.biased(made, bias, scales, x, shape)
        return self.quantized(self.activated(made, scale), shape, scale)

    def between(self, x):
        """Applies an operator that is no convolution."""
        rng, (name, shape, scale, zero) = self.rng, x
        n, c, h, w = shape
        which = rng.choice(["pool", "table", "square", "slice", "again", "constant", "moved"])
        if which == "pool" and min(h, w) > 1:
            pooled = self.bind("R.nn.avg_pool2d(%s, pool_size=[2, 2], strides=[2, 1])" % self.real(x))
            return self.quantized(pooled, [n, c, (h - 2) // 2 + 1, w - 1], scale)
        if which == "table":
            return self.quantized(self.bind("R.%s(%s)" % (rng.choice(["sigmoid", "tanh"]), self.real(x))), shape, 1 / 128)
        if which == "square":
            return self.quantized(self.bind("R.multiply(%s, %s)" % (self.real(x), self.real(x))), shape, scale * scale * 60)
        if which == "slice" and h > 2:
            cut = rng.choice([1, 2])
            sliced = self.bind("R.strided_slice(%s, axes=[2], begin=[%d], end=[%d])" % (name, cut, h))
            return sliced, [n, c, h - cut, w], scale, zero
        if which == "again":
            return self.quantized(self.bind("R.nn.relu(%s)" % self.real(x)), shape, scale * rng.uniform(0.7, 1.4))
        if which == "constant":
            moved = self.bind('R.add(%s, R.const(%.6g, "float32"))' % (self.real(x), scale * rng.randint(-9, 9)))
            return self.quantized(moved, shape, scale)
        return self.moved(x)

    def layers(self):
        rng, x, seen = self.rng, self.input, []
        for _ in range(rng.randint(3, 8)):
            if rng.random() < 0.25:
                x = self.between(x)
            else:
                made = self.convolution(x, rng.random() < 0.4)
                x = made if made is not None else x
            if x[1][1] * x[1][2] * x[1][3] > 12000:
                break
            like = [y for y in seen if y[1] == x[1]]
            if like and rng.random() < 0.5:
                x = self.total(x, rng.choice(like))
            seen.append(x)
        return x if x is not self.input and rng.random() < 0.6 else self.product(x)


def nested(values, shape):
    if len(shape) == 1:
        return str(list(values))
    step = len(values) // shape[0]
    return "[" + ", ".join(nested(values[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])) + "]"


def npy(values, shape, dtype):
    kind = "u" if dtype == "uint8" else "i"
    header = "{'descr': '|%s1', 'fortran_order': False, 'shape': (%s), }" % (kind, ", ".join("%d" % d for d in shape))
    header = header.encode() + b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(v % 256 for v in values)


def write_program(seed, arguments, folder):
    """Returns the program, its inputs, and what is wrong with running it."""
    rng = random.Random(seed)
    networks = arguments.networks
    kind = DeepNetwork if arguments.deep else RowNetwork if arguments.rows else Network
    drawn = [kind(rng, "n%d" % i) for i in range(networks)]
    params = ", ".join('%s: R.Tensor((%s), "%s")' % (n.name, ", ".join(map(str, n.input[1])), n.dtype) for n in drawn)
    results = ", ".join(n.result[0] for n in drawn)
    body = "\n".join(line for n in drawn for line in n.lines)
    path = folder / ("qdq_%d.py" % seed)
    path.write_text('from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n'
                    '    def main(%s):\n        with R.dataflow():\n%s\n            gv = (%s%s)\n'
                    '            R.output(gv)\n        return gv\n' % (params, body, results, "," * (networks == 1)))
    inputs = folder / ("qdq_%d_in.npz" % seed)
    with zipfile.ZipFile(inputs, "w") as archive:
        for n in drawn:
            size = n.input[1][0] * n.input[1][1] * n.input[1][2] * n.input[1][3]
            archive.writestr(n.name + ".npy", npy([rng.randint(0, 255) + n.lowest for _ in range(size)], n.input[1], n.dtype))
    return path, inputs


def with_results(lathe, path, inputs):
    """The inputs and the results of the portable form in one file."""
    outputs = path.with_name(path.stem + "_out.npz")
    words = [lathe, "run", path, "--numerics", "fused", "--input", inputs, "-o", outputs]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, "%s: run ended with %d\n%s" % (path.name, done.returncode, done.stderr[-1500:])
    both = io.BytesIO()
    with zipfile.ZipFile(both, "w") as archive:
        for name in (inputs, outputs):
            with zipfile.ZipFile(name) as part:
                for entry in part.namelist():
                    archive.writestr(entry.replace("result.", "gv_"), part.read(entry))
    data = path.with_name(path.stem + "_all.npz")
    data.write_bytes(both.getvalue())
    return data, ""


def differences(arguments, folder, pool):
    """What is wrong with each form of each program; one entry if a program does not run."""
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        path, inputs = write_program(seed, arguments, folder)
        data, wrong = with_results(arguments.lathe, path, inputs)
        if wrong:
            yield wrong
            continue
        options = ["--data", data, "--time-limit", "300", "--atol", "0", "--rtol", "0"]
        yield from pool.map(lambda form: network_forms.difference(arguments, path, form, options), arguments.forms)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    network_forms.add_options(parser, HOST + BOARDS)
    parser.add_argument("--deep", action="store_true", help="more layers on larger images, for kernels that are joined")
    parser.add_argument("--rows", action="store_true", help="products of one row")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        return network_forms.report(arguments, differences(arguments, Path(arguments.keep or scratch), pool))


if __name__ == "__main__":
    sys.exit(main())
