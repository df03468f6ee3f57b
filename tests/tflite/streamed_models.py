#!/usr/bin/env python3
"""Streams int8 TFLite models over time: streamed_models.py LATHE

A keyword spotter of separable convolutions like DS-CNN, with and without padding, and a temporal
convolution network with causal padding, residual sums and pools, as TensorFlow exports them. The
steps are compared with the window, or with the sequence where layers pad, and their C code with the
interpreter: `lathe validate --stream`. --on names an emulated board.
"""
import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from grid.maker import packed
from model_writer import Model, Operator, Subgraph, Tensor, options

ADD, AVERAGE_POOL, CONV, DEPTHWISE, FULLY_CONNECTED, LOGISTIC, MAX_POOL = 0, 1, 3, 4, 9, 14, 17
RESHAPE, SOFTMAX, PAD, MEAN, EXPAND_DIMS = 22, 25, 34, 40, 70
SAME, VALID = 0, 1
RELU = 1


class Layers:
    """Appends int8 layers to a model whose only input is `shape`."""

    def __init__(self, seed, shape):
        self.rng, self.operators = random.Random(seed), []
        self.names = 0
        self.input = self.x = self.tensor(shape, 0.05, -3)

    def tensor(self, shape, scale=0.06, zero=-128, data=None, dtype="int8"):
        self.names += 1
        return Tensor("t%d" % self.names, shape, dtype, scale, zero, data=data)

    def weights(self, shape, inputs):
        count = 1
        for size in shape:
            count *= size
        values = [self.rng.randint(-127, 127) for _ in range(count)]
        kernel = self.tensor(shape, 0.3 / (64 * inputs ** 0.5), 0, packed("int8", values))
        return kernel

    def bias(self, count):
        values = [self.rng.randint(-900, 900) for _ in range(count)]
        return Tensor("b%d" % self.names, [count], "int32", 1e-4, 0, data=packed("int32", values))

    def add(self, code, inputs, shape, table=None, **quantized):
        y = self.tensor(shape, **quantized)
        self.operators.append(Operator(code, inputs, [y], table))
        self.x = y
        return y

    def conv(self, filters, kernel, stride=(1, 1), padding=VALID, dilation=1, activation=RELU):
        _, height, width, channels = self.x.shape
        weights = self.weights([filters] + list(kernel) + [channels], channels * kernel[0] * kernel[1])
        bias = self.bias(filters)
        table = options(1, padding=padding, stride_h=stride[0], stride_w=stride[1], dilation_h=1 if height == 1 else dilation,
                        dilation_w=dilation if height == 1 else 1, activation=activation)
        spans = [(kernel[0] - 1) * (1 if height == 1 else dilation), (kernel[1] - 1) * (dilation if height == 1 else 1)]
        sizes = self.sizes([height, width], spans, stride, padding)
        return self.add(CONV, [self.x, weights, bias], [1] + sizes + [filters], table)

    def depthwise(self, kernel, padding=VALID):
        _, height, width, channels = self.x.shape
        weights = self.weights([1] + list(kernel) + [channels], kernel[0] * kernel[1])
        bias = self.bias(channels)
        table = options(2, padding=padding, stride_h=1, stride_w=1, depth_multiplier=1, activation=RELU)
        sizes = self.sizes([height, width], [kernel[0] - 1, kernel[1] - 1], (1, 1), padding)
        return self.add(DEPTHWISE, [self.x, weights, bias], [1] + sizes + [channels], table)

    @staticmethod
    def sizes(sizes, spans, stride, padding):
        return [-(-size // s) if padding == SAME else (size - span - 1) // s + 1
                for size, span, s in zip(sizes, spans, stride)]

    def pool(self, code, size, stride):
        _, height, width, channels = self.x.shape
        table = options(5, padding=VALID, stride_h=stride[0], stride_w=stride[1], filter_height=size[0], filter_width=size[1])
        sizes = self.sizes([height, width], [size[0] - 1, size[1] - 1], stride, VALID)
        return self.add(code, [self.x], [1] + sizes + [channels], table, scale=self.x.scale[0], zero=self.x.zero[0])

    def reshape(self, shape):
        return self.add(RESHAPE, [self.x], shape, options(17, new_shape=shape), scale=self.x.scale[0], zero=self.x.zero[0])

    def pad(self, axis, before):
        widths = [0] * 8
        widths[2 * axis] = before
        shape = list(self.x.shape)
        shape[axis] += before
        paddings = Tensor("p%d" % self.names, [4, 2], "int32", data=packed("int32", widths))
        return self.add(PAD, [self.x, paddings], shape, scale=self.x.scale[0], zero=self.x.zero[0])

    def dense(self, outputs):
        count = self.x.shape[-1]
        weights = self.weights([outputs, count], count)
        bias = self.bias(outputs)
        return self.add(FULLY_CONNECTED, [self.x, weights, bias], [1, outputs], options(8, activation=0), zero=7)

    def model(self):
        return Model([Subgraph([self.input], [self.x], self.operators)]).write()


def spotter(padding):
    """Separable convolutions over 49 frames of 10 features."""
    m = Layers(1, [1, 49, 10, 1])
    m.conv(16, (10, 4), (2, 2), padding)
    for _ in range(2):
        m.depthwise((3, 2), padding)
        m.conv(16, (1, 1))
    _, height, width, channels = m.x.shape
    m.pool(AVERAGE_POOL, (height, width), (height, width))
    m.reshape([1, channels])
    m.dense(12)
    m.add(SOFTMAX, [m.x], [1, 12], options(9, beta=1.0), scale=1 / 256, zero=-128)
    return m.model()


def flat_spotter():
    """Frames and features in one axis, as audio front ends deliver them."""
    m = Layers(2, [1, 25 * 8])
    m.reshape([1, 25, 8, 1])
    m.conv(6, (4, 3))
    m.pool(MAX_POOL, (2, 2), (2, 2))
    m.conv(8, (3, 2), activation=0)
    m.add(LOGISTIC, [m.x], m.x.shape, scale=1 / 256, zero=-128)
    m.pool(AVERAGE_POOL, (3, 1), (1, 1))
    _, height, width, channels = m.x.shape
    m.reshape([1, height * width * channels])
    m.dense(4)
    return m.model()


def temporal(causal):
    """Dilated convolutions of one dimension with residual sums, as Keras exports Conv1D."""
    m = Layers(3, [1, 30, 4])
    m.reshape([1, 1, 30, 4])
    m.conv(8, (1, 1))
    for dilation in (1, 2, 4):
        skip = m.x
        if causal:
            m.pad(2, 2 * dilation)
            m.conv(8, (1, 3), dilation=dilation)
            m.add(ADD, [m.x, skip], skip.shape, options(11, activation=RELU))
        else:
            m.conv(8, (1, 3), dilation=dilation)
    m.reshape([1, m.x.shape[2], 8])
    axes = Tensor("axes", [1], "int32", data=packed("int32", [1]))
    m.add(MEAN, [m.x, axes], [1, 8], options(27, keep_dims=False))
    m.dense(3)
    return m.model()


CASES = [  # the model, its options, the steps
    ("spotter_valid", lambda: spotter(VALID), "1=2", False),
    ("spotter_valid_4", lambda: spotter(VALID), "1=4", False),
    ("spotter_same", lambda: spotter(SAME), "1=2", True),
    ("flat_spotter", flat_spotter, "1=16", False),
    ("temporal_valid", lambda: temporal(False), "1=1", False),
    ("temporal_causal", lambda: temporal(True), "1=1", True),
    ("temporal_causal_5", lambda: temporal(True), "1=5", True),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    parser.add_argument("--targets", nargs="*", default=["cortex-m4"])
    parser.add_argument("--on", default="host")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, make, stream, pads in CASES:
            path = Path(folder) / (name + ".tflite")
            path.write_bytes(make())
            for target in arguments.targets:
                words = [arguments.lathe, "validate", str(path), "--stream", "t1:" + stream, "-t", target, "--on",
                         arguments.on] + (["--stream-padding", "start"] if pads else [])
                done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
                proof = "the network on the whole sequence" if pads else "the network on the window"
                good = done.returncode == 0 and re.search(r"stream: \d+ steps equal to %s" % proof, done.stdout)
                failed += not good
                if not good:
                    print("%s %s\n%s" % (name, " ".join(words[3:]), done.stdout[-1500:] + done.stderr[-3000:]))
    print("%d streamed models, %d failed" % (len(CASES) * len(arguments.targets), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
