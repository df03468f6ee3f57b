#!/usr/bin/env python3
"""Compares random float32 networks with the interpreter: float_networks.py LATHE

Each network is a chain of convolutions (plain, by groups, depthwise, pointwise, in one or two
dimensions, padded, strided, dilated), pools, elementwise operators and sums with earlier tensors,
of odd and tiny sizes. `lathe validate` compiles it in the library forms of a target and plans it
with overlaps. --on runs it on an emulated board.
"""
import random
import sys

from validated_modules import arguments_parser, compare

HEAD = '''from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(given: R.Tensor(%s, "float32")):
'''


class Network:
    """Draws the layers of one network, channels last."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.dims = rng.choice([1, 2, 2, 2])
        sizes = [rng.choice([1, 2, 5, 8, 13]) for _ in range(self.dims)]
        self.shape = [rng.choice([1, 1, 1, 2])] + sizes + [self.channels()]
        self.first = list(self.shape)
        self.lines, self.live, self.name = [], [], "given"
        for number in range(rng.randint(2, 8)):
            self.layer("v%d" % number)

    def channels(self):
        return self.rng.choice([1, 2, 3, 4, 5, 7, 8, 12, 16])

    def numbers(self, shape):
        if not shape:
            return "%g" % (self.rng.randint(-8, 8) / 8)
        return "[%s]" % ", ".join(self.numbers(shape[1:]) for _ in range(shape[0]))

    def bind(self, result, text):
        self.lines.append("%s = %s" % (result, text))
        self.name = result

    def layer(self, result):
        kinds = ["conv"] * 4 + ["depthwise", "depthwise", "pointwise", "pointwise", "groups", "pool", "relu", "add",
                                "softmax"]
        kind = self.rng.choice(kinds)
        if kind in ("conv", "depthwise", "pointwise", "groups"):
            self.conv(result, kind)
        elif kind == "pool":
            self.pool(result)
        elif kind == "relu":
            self.bind(result, "R.nn.relu(%s)" % self.name)
        elif kind == "softmax":
            self.bind(result, "R.nn.softmax(%s, axis=-1)" % self.name)
        else:
            same = [name for name, shape in self.live if shape == self.shape]
            self.bind(result, "R.add(%s, %s)" % (self.name, self.rng.choice(same) if same else self.name))
        self.live.append((result, list(self.shape)))

    def window(self):
        """Kernel sizes, strides, paddings and dilations that leave a result."""
        while True:
            rng = self.rng
            kernel = [rng.choice([1, 2, 3, 3, 5]) for _ in range(self.dims)]
            stride = [rng.choice([1, 1, 1, 2, 3]) for _ in range(self.dims)]
            dilation = [rng.choice([1, 1, 1, 2]) for _ in range(self.dims)]
            before = [rng.randint(0, 2) for _ in range(self.dims)]
            after = before if rng.random() < 0.7 else [rng.randint(0, 2) for _ in range(self.dims)]
            sizes = [(size + low + high - (k - 1) * d - 1) // s + 1 for size, low, high, k, d, s in
                     zip(self.shape[1:-1], before, after, kernel, dilation, stride)]
            if min(sizes) > 0:
                return kernel, stride, before + after, dilation, sizes

    def conv(self, result, kind):
        channels = self.shape[-1]
        kernel, stride, padding, dilation, sizes = self.window()
        groups = out = 1
        if kind == "depthwise":
            groups, out = channels, channels * self.rng.choice([1, 1, 1, 2])
        elif kind == "groups":
            groups = self.rng.choice([g for g in (1, 2, 4, channels) if channels % g == 0])
            out = groups * self.rng.choice([1, 2, 3, 4])
        else:
            out = self.channels()
        if kind == "pointwise":
            kernel, stride, padding, dilation = ([1] * self.dims, [1] * self.dims, [0] * 2 * self.dims, [1] * self.dims)
            sizes = self.shape[1:-1]
        # Transposed kernels are constants, too: channels-last data, kernels with the channels first.
        weights = self.numbers([out, channels // groups] + kernel)
        layouts = ("NWC", "OIW") if self.dims == 1 else ("NHWC", "OIHW")
        self.bind(result, "R.nn.conv%dd(%s, R.const(%s, \"float32\"), strides=%s, padding=%s, dilation=%s, groups=%d, "
                  "data_layout=\"%s\", kernel_layout=\"%s\")" %
                  (self.dims, self.name, weights, stride, padding, dilation, groups, *layouts))
        self.shape = [self.shape[0]] + sizes + [out]
        if self.rng.random() < 0.6:
            self.bind(result + "b", "R.add(%s, R.const(%s, \"float32\"))" % (result, self.numbers([out])))
        if self.rng.random() < 0.5:
            self.bind(result + "r", "R.nn.relu(%s)" % self.name)

    def pool(self, result):
        kernel, stride, padding, dilation, sizes = self.window()
        kind = self.rng.choice(["max", "avg"])
        self.bind(result, "R.nn.%s_pool%dd(%s, pool_size=%s, strides=%s, padding=%s, dilation=%s, layout=\"%s\")" %
                  (kind, self.dims, self.name, kernel, stride, padding, dilation, "NWC" if self.dims == 1 else "NHWC"))
        self.shape = [self.shape[0]] + sizes + [self.shape[-1]]

    def text(self):
        others = [name for name, _ in self.live[:-1] if self.rng.random() < 0.15]
        lines = self.lines + ["return (%s,)" % ", ".join([self.name] + others)]
        return HEAD % (tuple(self.first),) + "".join("        %s\n" % line for line in lines)


def main():
    parser = arguments_parser(__doc__)
    parser.add_argument("--targets", default="cortex-m4f,cortex-m4f,x86-64-v3")
    parser.add_argument("--on", help="the emulator and board that run the networks")
    arguments = parser.parse_args()
    targets = arguments.targets.split(",")

    def words(seed):
        place = ["--on", arguments.on] if arguments.on else ["--cflags", "-O1"]
        # Sums are in another order.
        return ["-t", targets[seed % len(targets)], "--rtol", "1e-4", "--atol", "1e-3"] + place

    return compare(arguments, "network", lambda seed: Network(seed).text(), words)


if __name__ == "__main__":
    sys.exit(main())
