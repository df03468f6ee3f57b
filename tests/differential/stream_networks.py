#!/usr/bin/env python3
"""Streams random networks over time: stream_networks.py LATHE

Each network is a graph of layers along time: convolutions and pools in one or two dimensions, with
strides and dilations, in four layouts, in floats and in the integers of quantized networks;
elementwise operators, normalizations, products, sums and concatenations of branches with different
delays; and results along time, of the whole window, or of its last frames. Some pad along time.

`lathe validate --stream` compares the steps with the window, and their C code with the interpreter.
Networks that pad are compared with a network of the same layers that is written here for the whole
sequence, and that `lathe run` evaluates.
"""
import json
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from validated_modules import arguments_parser, difference

HEAD = '''from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(%s, "%s")):
'''
SANITIZED = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"


class Value:
    """A tensor: its name, its frames, the frames of a step, its width and its channels."""

    def __init__(self, name, length, step, width, channels, dtype, more):
        self.name, self.length, self.step, self.width, self.channels = name, length, step, width, channels
        self.dtype, self.moves = dtype, step < length
        self.all = length + more * step if self.moves else length  # frames of the sequence


class Network:
    """Draws one network; with `more` for that many steps after its window."""

    def __init__(self, seed, more=0):
        self.rng = rng = random.Random(seed)
        self.more = more
        self.pads = rng.random() < 0.3
        self.width = rng.choice([0, 0, 3, 4, 6])  # 0: one dimension
        self.last = rng.random() < 0.6  # channels
        self.first = rng.random() < 0.7 or not self.width  # time before the width
        self.frames = rng.choice([1, 1, 1, 2, 2, 3, 4, 6])
        self.lines, self.count, self.results = [], 0, []
        dtype = "int8" if rng.random() < 0.3 else "float32"
        length = rng.randint(max(self.frames + 1, 6), 26)
        self.input = Value("x", length, self.frames, self.width, rng.choice([1, 2, 3, 5]), dtype, more)
        value = self.input
        if dtype == "int8":
            value = self.dequantized(value)
        self.live = [value]
        for _ in range(rng.randint(2, 9)):
            value = self.layer(rng.choice(self.live[-2:]))
            if value is not None:
                self.live.append(value)
        for value in [self.live[-1]] + [v for v in self.live if rng.random() < 0.25][:2]:
            self.head(value)

    def axes(self):
        """The letters of the axes, time as T."""
        if not self.width:
            return "NTC" if self.last else "NCT"
        time = "TW" if self.first else "WT"
        return "N%sC" % time if self.last else "NC%s" % time

    def layouts(self):
        if not self.width:
            return ("NWC", "OWI") if self.last else ("NCW", "OIW")
        return ("NHWC", "OHWI") if self.last else ("NCHW", "OIHW")

    def time(self):
        return self.axes().index("T")

    def shape(self, value):
        sizes = {"N": 1, "T": value.all, "W": value.width, "C": value.channels}
        return [sizes[axis] for axis in self.axes()]

    def bind(self, text):
        self.count += 1
        self.lines.append("v%d = %s" % (self.count, text))
        return "v%d" % self.count

    def like(self, value, text, **changes):
        fields = {"length": value.length, "step": value.step, "width": value.width, "channels": value.channels,
                  "dtype": value.dtype}
        fields.update(changes)
        return Value(self.bind(text), more=self.more, **fields)

    def numbers(self, shape, whole=False):
        if not shape:
            return "%d" % self.rng.randint(-9, 9) if whole else "%r" % (self.rng.randint(-8, 8) / 8)
        return "[%s]" % ", ".join(self.numbers(shape[1:], whole) for _ in range(shape[0]))

    def constant(self, shape, dtype="float32"):
        return "R.const(%s, \"%s\")" % (self.numbers(shape, dtype != "float32"), dtype)

    def channel_constant(self, channels, dtype="float32"):
        """One number for each channel."""
        shape = [channels] if self.last else [channels] + [1] * (2 if self.width else 1)
        return self.constant(shape, dtype)

    def dequantized(self, value):
        return self.like(value, "R.dequantize(%s, R.const(0.125, \"float32\"), R.const(3, \"int8\"))" % value.name,
                         dtype="float32")

    def layer(self, value):
        kinds = ["conv"] * 4 + ["int8"] * 2 + ["pool", "pool", "element", "element", "join", "join", "crop", "norm",
                                               "softmax", "product"]
        return getattr(self, self.rng.choice(kinds))(value)

    def window(self, value, pads=True):
        """Kernel, stride, dilation and padding along time and the length of the result."""
        for _ in range(20):
            rng = self.rng
            kernel, dilation = rng.choice([1, 2, 3, 3, 5]), rng.choice([1, 1, 1, 2, 4])
            stride = rng.choice([s for s in (1, 1, 1, 2, 3) if value.step % s == 0 or not value.moves])
            pad = [rng.randint(0, 3), rng.randint(0, 2)] if self.pads and pads and value.moves else [0, 0]
            length = (value.length + sum(pad) - (kernel - 1) * dilation - 1) // stride + 1
            if sum(pad) and length <= value.step // stride:
                continue  # new as a whole
            if value.length + sum(pad) > (kernel - 1) * dilation and length > 0:
                return kernel, stride, dilation, pad, length
        return 1, 1, 1, [0, 0], value.length

    def spatial(self, along, across):
        """Numbers for the spatial axes in their order."""
        return [along] if not self.width else [along, across] if self.first else [across, along]

    def moved(self, value, stride, length):
        """The length and the step of a value after a window: a single new value has no time left."""
        return {"length": length, "step": value.step // stride if value.moves else length}

    def sliding(self, value, pads=True):
        kernel, stride, dilation, pad, length = self.window(value, pads)
        if self.more and sum(pad):
            pad = [sum(pad), 0]  # the sequence pads at its start
        across = self.rng.choice([k for k in (1, 2, 3) if not self.width or k <= value.width])
        side = self.rng.choice([0, 1]) if self.width else 0
        width = value.width + 2 * side - across + 1 if self.width else 0
        changes = dict(self.moved(value, stride, length), width=width)
        attributes = "strides=%s, dilation=%s, padding=%s" % (
            self.spatial(stride, 1), self.spatial(dilation, 1),
            self.spatial(pad[0], side) + self.spatial(pad[1], side))
        return value, kernel, across, attributes, changes

    def read(self, value, changes):
        """The frames that a window reads if its result does not move: those at the end."""
        name = value.name
        if self.more and value.moves and changes["step"] >= changes["length"]:
            name = self.window_of(value)
        return name

    def window_of(self, value):
        """The last frames of a sequence, as many as the window has."""
        if not self.more or not value.moves:
            return value.name
        return self.bind("R.strided_slice(%s, axes=[%d], begin=[%d], end=[%d])" %
                         (value.name, self.time(), value.all - value.length, value.all))

    def conv(self, value, dtype="float32"):
        value, kernel, across, attributes, changes = self.sliding(value)
        depthwise = self.rng.random() < 0.3
        out = value.channels if depthwise else self.rng.choice([1, 2, 3, 4, 6])
        letters = {"O": out, "I": 1 if depthwise else value.channels}
        data, kernels = self.layouts()
        sizes = iter(self.spatial(kernel, across))
        weights = self.constant([letters[c] if c in letters else next(sizes) for c in kernels], dtype)
        name = self.read(value, changes)
        more = ", out_dtype=\"int32\"" if dtype != "float32" else ""
        made = self.like(value, "R.nn.conv%dd(%s, %s, %s, groups=%d, data_layout=\"%s\", kernel_layout=\"%s\"%s)" %
                         (2 if self.width else 1, name, weights, attributes, value.channels if depthwise else 1, data,
                          kernels, more), channels=out, **changes)
        if self.rng.random() < 0.7:
            made = self.like(made, "R.add(%s, %s)" % (made.name, self.channel_constant(out, made.dtype)))
        return made

    def int8(self, value):
        """The operators of a quantized convolution."""
        small = self.like(value, "R.quantize(%s, R.const(0.25, \"float32\"), R.const(-5, \"int8\"))" % value.name,
                          dtype="int8")
        wide = self.like(small, "R.astype(%s, \"int32\")" % small.name, dtype="int32")
        zero = self.like(wide, "R.subtract(%s, R.const(-5, \"int32\"))" % wide.name)
        sums = self.conv(zero, "int32")
        if sums is None:
            return None
        scaled = self.like(sums, "R.lathe.requantize(%s, R.const(1500000000, \"int32\"), R.const(-5, \"int32\"), axis=%d, "
                           "zero_point=3, low=-128, high=127)" % (sums.name, self.axes().index("C")), dtype="int8")
        return self.dequantized(scaled)

    def pool(self, value):
        value, kernel, across, attributes, changes = self.sliding(value)
        kind = self.rng.choice(["max", "avg"])
        name = self.read(value, changes)
        more = ", count_include_pad=True" if kind == "avg" else ""
        return self.like(value, "R.nn.%s_pool%dd(%s, pool_size=%s, %s, layout=\"%s\"%s)" %
                         (kind, 2 if self.width else 1, name, self.spatial(kernel, across), attributes,
                          self.layouts()[0], more), **changes)

    def element(self, value):
        text = self.rng.choice(["R.nn.relu(%s)", "R.tanh(%s)", "R.sigmoid(%s)", "R.clip(%s, -2, 2)", "R.negative(%s)",
                                "R.multiply(%s, R.const(0.5, \"float32\"))", "channels"])
        if text == "channels":
            return self.like(value, "R.multiply(%s, %s)" % (value.name, self.channel_constant(value.channels)))
        return self.like(value, text % value.name)

    def cropped(self, value, length):
        """Some frames of the window: a delay of those after them."""
        if value.length == length:
            return value
        begin = self.rng.randint(0, value.length - length)
        after = value.length - begin - length
        whole = not value.moves or value.step >= length
        name = self.window_of(value) if whole else value.name
        frames = value.length if whole else value.all
        return self.like(value, "R.strided_slice(%s, axes=[%d], begin=[%d], end=[%d])" %
                         (name, self.time(), begin, frames - after),
                         **self.moved(value, 1, length))

    def crop(self, value):
        return self.cropped(value, self.rng.randint(max(1, value.length - 4), value.length))

    def join(self, value):
        """A sum or a concatenation with an earlier value that moves by as many frames."""
        def fits(other):
            length = min(value.length, other.length)
            kind = [v.moves and v.step < length for v in (value, other)]
            return value.width == other.width and kind[0] == kind[1] and (not kind[0] or value.step == other.step)
        others = [v for v in self.live if fits(v)]
        if not others:
            return None
        other = self.rng.choice(others)
        length = min(value.length, other.length)
        a, b = self.cropped(value, length), self.cropped(other, length)
        a.name, b.name = (self.window_of(v) if not v.moves else v.name for v in (a, b))
        if a.channels == b.channels and self.rng.random() < 0.6:
            return self.like(a, "R.add(%s, %s)" % (a.name, b.name))
        return self.like(a, "R.concat((%s, %s), axis=%d)" % (a.name, b.name, self.axes().index("C")),
                         channels=a.channels + b.channels)

    def norm(self, value):
        c = value.channels
        many = ["R.const(%s, \"float32\")" % self.numbers([c]) for _ in range(3)]
        variance = "R.const([%s], \"float32\")" % ", ".join("%r" % (self.rng.randint(1, 9) / 4) for _ in range(c))
        made = self.bind("R.nn.batch_norm(%s, %s, %s, axis=%d, training=False)" %
                         (value.name, ", ".join(many), variance, self.axes().index("C")))
        return self.like(value, "%s[0]" % made)

    def softmax(self, value):
        return self.like(value, "R.nn.softmax(%s, axis=%d)" % (value.name, self.axes().index("C")))

    def product(self, value):
        """A product for each frame, over the channels as rows of a matrix."""
        if self.width or not self.last:
            return None
        out = self.rng.choice([1, 2, 4])
        rows = self.bind("R.reshape(%s, (%d, %d))" % (value.name, value.all, value.channels))
        made = self.bind("R.matmul(%s, %s)" % (rows, self.constant([value.channels, out])))
        return self.like(value, "R.reshape(%s, (1, %d, %d))" % (made, value.all, out), channels=out)

    def head(self, value):
        kind = self.rng.choice(["frames", "mean", "max", "flat", "last", "softmax", "none"])
        name = value.name if kind in ("frames", "none") else self.window_of(value)
        if kind == "mean":
            name = self.bind("R.mean(%s, axis=[%d])" % (name, self.time()))
        elif kind == "max":
            name = self.bind("R.max(%s, axis=[%d], keepdims=True)" % (name, self.time()))
        elif kind == "flat":
            count = value.length * value.channels * max(value.width, 1)
            flat = self.bind("R.reshape(%s, (1, %d))" % (name, count))
            name = self.bind("R.matmul(%s, %s)" % (flat, self.constant([count, 3])))
        elif kind == "last":
            name = self.bind("R.take(%s, R.const(%d, \"int64\"), axis=%d)" % (name, value.length - 1, self.time()))
        elif kind == "softmax":
            name = self.bind("R.nn.softmax(%s, axis=%d)" % (name, self.time()))
        self.results.append(name)

    def text(self):
        lines = self.lines + ["return (%s,)" % ", ".join(self.results)]
        return HEAD % (tuple(self.shape(self.input)), self.input.dtype) + "".join("        %s\n" % line for line in lines)

    def words(self):
        pads = ["--stream-padding", "start"] if self.pads else []
        return ["--stream", "x:%d=%d" % (self.time(), self.frames)] + pads


def write_array(path, shape, numbers, dtype):
    """Writes an .npy file."""
    kind = {"float32": ("<f4", "f"), "int8": ("|i1", "b")}[dtype]
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (kind[0], "".join("%d, " % n for n in shape))
    head += " " * (-(len(head) + 11) % 64) + "\n"
    data = struct.pack("<%d%s" % (len(numbers), kind[1]), *numbers)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def evaluated(lathe, path, words):
    done = subprocess.run([lathe, "run", str(path), "--json"] + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr[-1500:])
    return json.loads(done.stdout)


def flat(value):
    """The numbers of a printed value, tensors with their shapes."""
    if isinstance(value, dict) and "shape" in value:
        return [value]
    if isinstance(value, dict):
        return [t for v in value.values() for t in flat(v)]
    return [t for v in value for t in flat(v)] if isinstance(value, list) else []


def elements(data):
    return [e for part in data for e in elements(part)] if isinstance(data, list) else [data]


def near(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return abs(a - b) <= 1e-5 + 1e-5 * abs(b)


def newest(tensor, shape):
    """The elements of the newest part of a tensor that has `shape`."""
    whole, data = tensor["shape"], elements(tensor["data"])
    axis = next((k for k in range(len(shape)) if shape[k] != whole[k]), None)
    if axis is None:
        return data
    inner = 1
    for size in whole[axis + 1:]:
        inner *= size
    row = whole[axis] * inner
    return [e for at in range(0, len(data), row) for e in data[at + row - shape[axis] * inner:at + row]]


def sequence_differs(lathe, scratch, seed, steps):
    """Compares the last of `steps` steps with the network of the whole sequence."""
    step, whole = Network(seed), Network(seed, steps)
    step_file, whole_file = scratch / "step.py", scratch / "whole.py"
    step_file.write_text(step.text())
    whole_file.write_text(whole.text())
    rng, time = random.Random(seed), step.time()
    shape = whole.shape(whole.input)
    outer = inner = 1
    for size in shape[:time]:
        outer *= size
    for size in shape[time + 1:]:
        inner *= size
    draw = (lambda: rng.randint(-20, 20)) if step.input.dtype == "int8" else (lambda: rng.randint(-16, 16) / 8)
    frames = [[[draw() for _ in range(inner)] for _ in range(steps * step.frames)] for _ in range(outer)]
    zeros = [[0.0 if step.input.dtype == "float32" else 0] * inner] * step.input.length
    write_array(scratch / "whole.npy", shape, [e for row in frames for f in zeros + row for e in f], step.input.dtype)
    parts = [e for s in range(steps) for row in frames for f in row[s * step.frames:(s + 1) * step.frames] for e in f]
    small = list(shape)
    small[time] = step.frames
    write_array(scratch / "step.npy", [steps] + small, parts, step.input.dtype)
    got = evaluated(lathe, step_file, step.words() + ["--input", "x=%s" % (scratch / "step.npy"), "--steps", str(steps)])
    wanted = evaluated(lathe, whole_file, ["--input", "x=%s" % (scratch / "whole.npy")])
    last, all_frames = flat(got["steps"][-1]), flat(wanted["result"])
    if len(last) != len(all_frames):
        return "%d and %d results" % (len(last), len(all_frames))
    for k, (a, b) in enumerate(zip(last, all_frames)):
        ours, theirs = elements(a["data"]), newest(b, a["shape"])
        if len(ours) != len(theirs) or not all(near(x, y) for x, y in zip(ours, theirs)):
            return "result %d of step %d is %s, and of the sequence %s" % (k, steps - 1, ours[:8], theirs[:8])
    return ""


def main():
    parser = arguments_parser(__doc__)
    parser.add_argument("--compiled", type=int, default=4, help="compile one of so many networks as C")
    parser.add_argument("--on", help="the emulator and board that run the compiled networks")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            network = Network(seed)
            path = Path(arguments.keep or folder) / ("stream_%d.py" % seed)
            path.write_text(network.text())
            place = ["--on", "interp"]
            if seed % arguments.compiled == 0:
                place = ["--on", arguments.on] if arguments.on else ["--cflags", SANITIZED]
            words = network.words() + place
            wrong = difference(arguments.lathe, path, words)
            try:
                wrong = wrong or sequence_differs(arguments.lathe, scratch, seed, 2 + seed % 3)
            except ValueError as error:
                wrong = str(error)
            if wrong:
                failed += 1
                print("%s %s\n%s" % (path.name, " ".join(words), wrong), flush=True)
            elif arguments.keep:
                path.unlink()
    print("%d networks: %d passed, %d failed" % (arguments.count, arguments.count - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
