#!/usr/bin/env python3
"""Exports whole models with random weights: export_models.py FOLDER [NAME...]

Writes FOLDER/NAME/model.onnx for each, as the exporters of frameworks write them, and sizes.json, which
says for which sizes compare_models.py runs it. Needs the packages onnx, numpy and, for mobilenetv2_qdq, onnxruntime of PyPI:

    python3 -m venv /tmp/peer && /tmp/peer/bin/pip install onnx onnxruntime
    /tmp/peer/bin/python tests/peers/export_models.py /tmp/models
"""
import json
import pathlib
import sys

import numpy as np

from model_builder import TYPES, Builder


def lstm():
    b = Builder("lstm")
    x = b.input("x", [64, 1, 128])
    for into in (128, 256):
        y, _, _ = b.op("LSTM", x, b.weight(1, 4 * 256, into), b.weight(1, 4 * 256, 256),
                       b.weight(1, 8 * 256, spread=0.1), outputs=3, hidden_size=256)
        x = b.op("Squeeze", y, b.ints(1))
    b.output(b.linear(x, 256, 10), "y", [64, 1, 10])
    return b, {}


def gru():
    b = Builder("gru")
    x, start = b.input("x", [50, 4, 64]), b.input("h0", [2, 4, 128])
    y, last = b.op("GRU", x, b.weight(2, 3 * 128, 64), b.weight(2, 3 * 128, 128), b.weight(2, 6 * 128, spread=0.1),
                   "", start, outputs=2, hidden_size=128, direction="bidirectional", linear_before_reset=1)
    y = b.op("Reshape", b.op("Transpose", y, perm=[0, 2, 1, 3]), b.ints(0, 0, -1))
    b.output(b.linear(y, 256, 32), "y", [50, 4, 32])
    b.output(last, "h1", [2, 4, 128])
    return b, {}


def attention(b, q, k, v, width, mask=None):
    scores = b.op("MatMul", q, b.op("Transpose", k, perm=[0, 1, 3, 2]))
    scores = b.op("Div", scores, b.number((width) ** 0.5))
    if mask:
        scores = b.op("Add", scores, mask)
    return b.op("MatMul", b.op("Softmax", scores, axis=-1), v)


def bert(layers=12, width=768, heads=12, vocabulary=30522, places=512, name="bert", real="float32"):
    b = Builder(name, real=real)
    shape = ["batch", "sequence"]
    ids, kinds, mask = (b.input(n, shape, "int64") for n in ("input_ids", "token_type_ids", "attention_mask"))
    open_mask = b.op("Cast", b.op("Unsqueeze", mask, b.ints(1, 2)), to=TYPES[real])
    bias = b.op("Mul", b.op("Sub", b.number(1), open_mask), b.number(-10000))
    words = b.op("Gather", b.weight(vocabulary, width, spread=0.5), ids)
    kinds = b.op("Gather", b.weight(2, width, spread=0.1), kinds)
    all_places = b.constant(np.arange(places, dtype=np.int64)[None])
    at = b.op("Slice", all_places, b.ints(0), b.op("Unsqueeze", b.size(ids, 1), b.ints(0)), b.ints(1), b.ints(1))
    where = b.op("Gather", b.weight(places, width, spread=0.1), at)
    x = b.norm(b.op("Add", b.op("Add", words, kinds), where), width)
    for _ in range(layers):
        q, k, v = (b.heads(b.linear(x, width, width), heads, width // heads) for _ in range(3))
        mixed = b.unheads(attention(b, q, k, v, width // heads, bias), width)
        x = b.norm(b.op("Add", b.linear(mixed, width, width), x), width)
        inner = b.linear(b.gelu(b.linear(x, width, 4 * width)), 4 * width, width)
        x = b.norm(b.op("Add", inner, x), width)
    b.output(x, "last_hidden_state", shape + [width])
    first = b.op("Gather", x, b.constant(np.array(0, np.int64)), axis=1)
    pooled = b.op("Tanh", b.op("Gemm", first, b.weight(width, width), b.weight(width, spread=0.02), transB=1))
    b.output(pooled, "pooled", ["batch", width])
    return b, {"batch": 1, "sequence": min(128, places), "limits": {"input_ids": vocabulary, "token_type_ids": 2,
                                                       "attention_mask": 2}}


def bert_small():
    return bert(2, 64, 4, 100, 32, "bert_small")


def bert_half():
    return bert(name="bert_half", real="float16")


def bert_small_half():
    return bert(2, 64, 4, 100, 32, "bert_small_half", "float16")


def resnet50(size=224, classes=1000, depths=(3, 4, 6, 3), width=64, name="resnet50", real="float32"):
    """Its normalisations are in the weights, as exporters leave them."""
    b = Builder(name, real=real)
    relu = lambda x: b.op("Relu", x)
    x = relu(b.conv(b.input("x", ["batch", 3, size, size]), 3, width, 7, 2))
    x = b.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    channels = width
    for stage, depth in enumerate(depths):
        inner = width << stage
        for k in range(depth):
            stride = 2 if stage > 0 and k == 0 else 1
            y = relu(b.conv(x, channels, inner))
            y = relu(b.conv(y, inner, inner, 3, stride))
            y = b.conv(y, inner, 4 * inner, gain=0.5)
            x = x if k > 0 else b.conv(x, channels, 4 * inner, 1, stride, gain=0.5)
            x, channels = relu(b.op("Add", y, x)), 4 * inner
    x = b.op("Flatten", b.op("GlobalAveragePool", x), axis=1)
    b.output(b.op("Gemm", x, b.weight(classes, channels), b.weight(classes, spread=0.1), transB=1), "y", ["batch", classes])
    return b, {"batch": 1}


def resnet50_half():
    return resnet50(name="resnet50_half", real="float16")


def resnet_small_half():
    return resnet50(32, 10, (1, 1), 8, "resnet_small_half", "float16")


def gpt2_block():
    width, heads = 768, 12
    b = Builder("gpt2_block")
    x = b.input("x", ["batch", "sequence", width])
    past = [b.input(n, ["batch", heads, "past", width // heads]) for n in ("past_key", "past_value")]
    normed = b.norm(x, width)
    q, k, v = b.op("Split", b.linear(normed, width, 3 * width), b.ints(width, width, width), outputs=3, axis=2)
    q, k, v = (b.heads(one, heads, width // heads) for one in (q, k, v))
    k, v = b.op("Concat", past[0], k, axis=2), b.op("Concat", past[1], v, axis=2)
    # Row i of the new ones sees all that is past, and the new ones up to itself.
    new, all_of_it = b.size(q, 2), b.size(k, 2)
    zero, one = (b.constant(np.array(n, np.int64)) for n in (0, 1))
    rows = b.op("Unsqueeze", b.op("Range", b.op("Sub", all_of_it, new), all_of_it, one), b.ints(1))
    columns = b.op("Unsqueeze", b.op("Range", zero, all_of_it, one), b.ints(0))
    mask = b.op("Where", b.op("LessOrEqual", columns, rows), b.number(0), b.number(-1e4))
    mixed = b.unheads(attention(b, q, k, v, width // heads, mask), width)
    x = b.op("Add", x, b.linear(mixed, width, width))
    inner = b.linear(b.norm(x, width), width, 4 * width)
    cube = b.op("Mul", b.op("Pow", inner, b.number(3)), b.number(0.044715))
    bent = b.op("Tanh", b.op("Mul", b.op("Add", inner, cube), b.number((2 / np.pi) ** 0.5)))
    inner = b.op("Mul", b.op("Mul", inner, b.number(0.5)), b.op("Add", bent, b.number(1)))
    b.output(b.op("Add", x, b.linear(inner, 4 * width, width)), "y", ["batch", "sequence", width])
    b.output(k, "present_key", ["batch", heads, "all", width // heads])
    b.output(v, "present_value", ["batch", heads, "all", width // heads])
    return b, {"batch": 1, "sequence": 4, "past": 60}


def mobilenetv2():
    b = Builder("mobilenetv2")
    relu6 = lambda x: b.op("Clip", x, b.number(0), b.number(6))
    x = relu6(b.conv(b.input("x", [1, 3, 224, 224]), 3, 32, 3, 2))
    channels = 32
    for grow, into, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                      (6, 160, 3, 2), (6, 320, 1, 1)):
        for k in range(count):
            step, wide = (stride if k == 0 else 1), channels * grow
            y = relu6(b.conv(x, channels, wide)) if grow > 1 else x
            y = relu6(b.conv(y, wide, wide, 3, step, wide))
            y = b.conv(y, wide, into)
            x = b.op("Add", x, y) if step == 1 and channels == into else y
            channels = into
    x = relu6(b.conv(x, channels, 1280))
    x = b.op("Flatten", b.op("GlobalAveragePool", x), axis=1)
    b.output(b.op("Gemm", x, b.weight(1000, 1280), b.weight(1000, spread=0.1), transB=1), "y", [1, 1000])
    return b, {}


def mobilenetv2_qdq():
    from quantise_graph import quantised  # which needs onnxruntime, as no other model here does
    return quantised(mobilenetv2()[0], "mobilenetv2_qdq"), {}


def unet():
    b = Builder("unet")
    double = lambda x, into, out: b.op("Relu", b.conv(b.op("Relu", b.conv(x, into, out, 3)), out, out, 3))
    x = b.input("x", [1, 3, 128, 128])
    widths, kept, into = (32, 64, 128), [], 3
    for width in widths:
        x = double(x, into, width)
        kept.append((x, width))
        x, into = b.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2]), width
    x, into = double(x, into, 256), 256
    for skipped, width in reversed(kept):
        up = b.op("ConvTranspose", x, b.weight(into, width, 2, 2, spread=(1 / into) ** 0.5),
                  b.weight(width, spread=0.1), kernel_shape=[2, 2], strides=[2, 2])
        x, into = double(b.op("Concat", skipped, up, axis=1), 2 * width, width), width
    b.output(b.op("Sigmoid", b.conv(x, into, 1)), "y", [1, 1, 128, 128])
    return b, {}


MODELS = {m.__name__: m for m in (lstm, gru, bert, bert_small, bert_half, bert_small_half, gpt2_block, mobilenetv2, mobilenetv2_qdq, resnet50, resnet50_half,
                                  resnet_small_half, unet)}


def main():
    if len(sys.argv) < 2 or any(name not in MODELS for name in sys.argv[2:]):
        sys.exit(f"usage: export_models.py FOLDER [NAME...]; the models are {', '.join(MODELS)}")
    for name in sys.argv[2:] or MODELS:
        builder, sizes = MODELS[name]()
        path = builder.save(pathlib.Path(sys.argv[1]))
        (path.parent / "sizes.json").write_text(json.dumps(sizes, indent=1) + "\n")
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
