#!/usr/bin/env python3
"""Writes networks as Relay text and, with the package onnx, as ONNX models with the same weights.

networks.py FOLDER [--full] [--onnx]

Writes NAME.relay (and NAME.onnx) for ResNet-18, MobileNetV2, a BERT block, an LSTM over a list and a Tree-LSTM
over a data type. The topology is that of the published networks; without --full, channels and images are
smaller. Weights are random numbers of a fixed seed. The Tree-LSTM has no ONNX form.
"""
import argparse
import array
import base64
import math
import pathlib
import random
import struct

F32 = "float32"


def tensor_bytes(shape, values):
    """A tensor in TVM's serialised form, as the metadata of Relay text holds it."""
    head = struct.pack("<QQiiiBBH", 0xDD5E40F096B4A13F, 0, 1, 0, len(shape), 2, 32, 1)
    data = values.tobytes()
    return head + struct.pack(f"<{len(shape)}q", *shape) + struct.pack("<q", len(data)) + data


def metadata(tensors):
    nodes = ['{"type_key": ""}', '{"type_key": "Map", "keys": ["relay.Constant"], "data": [2]}',
             '{"type_key": "Array", "data": [' + ", ".join(str(3 + i) for i in range(len(tensors))) + "]}"]
    nodes += ['{"type_key": "relay.Constant", "attrs": {"_checked_type_": "0", "data": "%d", "span": "0", '
              '"virtual_device_": "0"}}' % i for i in range(len(tensors))]
    arrays = ['"' + base64.b64encode(tensor_bytes(*t)).decode() + '"' for t in tensors]
    return ('#[metadata]\n{"root": 1, "nodes": [\n  ' + ",\n  ".join(nodes) + '\n], "b64ndarrays": [\n  '
            + ",\n  ".join(arrays) + '\n], "attrs": {"tvm_version": "0.19.0"}}\n')


class Weights:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.all = []  # (shape, array)

    def new(self, *shape, low=None, high=None):
        fan_in = math.prod(shape[1:]) if len(shape) > 1 else shape[0]
        bound = math.sqrt(3.0 / fan_in)
        low, high = (-bound if low is None else low), (bound if high is None else high)
        values = array.array("f", (self.random.uniform(low, high) for _ in range(math.prod(shape))))
        self.all.append((shape, values))
        return len(self.all) - 1


class Net:
    """A straight-line network that both forms are written of: a list of (operator, inputs, parameters).

    Values are numbers of nodes; weights are ("w", index)."""

    def __init__(self, name, shape):
        self.name, self.shape, self.weights, self.nodes = name, shape, Weights(len(name)), []

    def node(self, op, *inputs, **params):
        self.nodes.append((op, inputs, params))
        return len(self.nodes) - 1

    def weight(self, *shape, **limits):
        return ("w", self.weights.new(*shape, **limits))

    # Layers.
    def conv(self, x, inputs, outputs, kernel, stride=1, groups=1):
        w = self.weight(outputs, inputs // groups, kernel, kernel)
        return self.node("conv", x, w, stride=stride, pad=kernel // 2, groups=groups, channels=outputs, kernel=kernel)

    def norm(self, x, channels):
        return self.node("batch_norm", x, self.weight(channels, low=0.5, high=1.5),
                         self.weight(channels, low=-0.2, high=0.2), self.weight(channels, low=-0.2, high=0.2),
                         self.weight(channels, low=0.5, high=1.5))

    def linear(self, x, inputs, outputs):
        return self.node("add", self.node("dense", x, self.weight(outputs, inputs), units=outputs),
                         self.weight(outputs, low=-0.1, high=0.1))


def resnet18(full):
    width, image, classes = (64, 224, 1000) if full else (8, 32, 10)
    net = Net("resnet18", (1, 3, image, image))
    x = net.node("relu", net.norm(net.conv("x", 3, width, 7, stride=2), width))
    x = net.node("max_pool", x, kernel=3, stride=2, pad=1)
    channels = width
    for stage in range(4):
        outputs = width << stage
        for block in range(2):
            stride = 2 if stage > 0 and block == 0 else 1
            y = net.node("relu", net.norm(net.conv(x, channels, outputs, 3, stride=stride), outputs))
            y = net.norm(net.conv(y, outputs, outputs, 3), outputs)
            if stride != 1 or channels != outputs:
                x = net.norm(net.conv(x, channels, outputs, 1, stride=stride), outputs)
            x = net.node("relu", net.node("add", y, x))
            channels = outputs
    net.linear(net.node("flatten", net.node("mean", x)), channels, classes)
    return net


def mobilenetv2(full):
    scale, image, classes = (1.0, 224, 1000) if full else (0.25, 32, 10)

    def at(channels):
        return max(8, int(channels * scale + 4) // 8 * 8)

    net = Net("mobilenetv2", (1, 3, image, image))
    channels = at(32)
    x = net.node("relu6", net.norm(net.conv("x", 3, channels, 3, stride=2), channels))
    for expand, outputs, count, first in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                          (6, 160, 3, 2), (6, 320, 1, 1)):
        for i in range(count):
            stride, wide, narrow = (first if i == 0 else 1), channels * expand, at(outputs)
            y = x
            if expand != 1:
                y = net.node("relu6", net.norm(net.conv(y, channels, wide, 1), wide))
            y = net.node("relu6", net.norm(net.conv(y, wide, wide, 3, stride=stride, groups=wide), wide))
            y = net.norm(net.conv(y, wide, narrow, 1), narrow)
            x = net.node("add", y, x) if stride == 1 and channels == narrow else y
            channels = narrow
    last = at(1280) if full else 64
    x = net.node("relu6", net.norm(net.conv(x, channels, last, 1), last))
    net.linear(net.node("flatten", net.node("mean", x)), last, classes)
    return net


def bert_block(full):
    length, hidden, heads = (128, 768, 12) if full else (16, 32, 4)
    size = hidden // heads
    net = Net("bert_block", (length, hidden))

    def layer_norm(x):
        return net.node("layer_norm", x, net.weight(hidden, low=0.5, high=1.5), net.weight(hidden, low=-0.2, high=0.2))

    def split_heads(x):
        return net.node("transpose", net.node("reshape", x, shape=(length, heads, size)), axes=(1, 0, 2))

    q, k, v = (split_heads(net.linear("x", hidden, hidden)) for _ in range(3))
    scores = net.node("scale", net.node("batch_matmul_t", q, k), by=1.0 / math.sqrt(size))
    y = net.node("batch_matmul", net.node("softmax", scores), v)
    y = net.node("reshape", net.node("transpose", y, axes=(1, 0, 2)), shape=(length, hidden))
    x = layer_norm(net.node("add", net.linear(y, hidden, hidden), "x"))
    y = net.linear(net.node("gelu", net.linear(x, hidden, 4 * hidden)), 4 * hidden, hidden)
    layer_norm(net.node("add", y, x))
    return net


def number(value):
    return f"{struct.unpack('f', struct.pack('f', value))[0]!r}f"


def relay_text(net):
    lines, names, count = [], {"x": "%x"}, 0

    def bind(text):
        nonlocal count
        lines.append(f"  %{count} = {text};")
        count += 1
        return f"%{count - 1}"

    def name(value):
        return f"meta[relay.Constant][{value[1]}]" if isinstance(value, tuple) else names[value]

    for i, (op, inputs, p) in enumerate(net.nodes):
        a = [name(value) for value in inputs]
        if op == "conv":
            four = ", ".join([str(p["pad"])] * 4)
            text = (f"nn.conv2d({a[0]}, {a[1]}, strides=[{p['stride']}, {p['stride']}], padding=[{four}], "
                    f"groups={p['groups']}, channels={p['channels']}, kernel_size=[{p['kernel']}, {p['kernel']}])")
        elif op == "batch_norm":
            text = f"{bind('nn.batch_norm(' + ', '.join(a) + ')')}.0"
        elif op == "max_pool":
            k, s, four = p["kernel"], p["stride"], ", ".join([str(p["pad"])] * 4)
            text = f"nn.max_pool2d({a[0]}, pool_size=[{k}, {k}], strides=[{s}, {s}], padding=[{four}])"
        elif op == "scale":
            text = f"multiply({a[0]}, {number(p['by'])})"
        elif op == "gelu":
            e = bind(f"erf(multiply({a[0]}, {number(math.sqrt(0.5))}))")
            text = f"multiply(multiply({a[0]}, 0.5f), add({e}, 1f))"
        elif op == "reshape":
            text = f"reshape({a[0]}, newshape=[{', '.join(map(str, p['shape']))}])"
        elif op == "transpose":
            text = f"transpose({a[0]}, axes=[{', '.join(map(str, p['axes']))}])"
        else:
            form = {"relu": "nn.relu({0})", "relu6": "clip({0}, a_min=0f, a_max=6f)", "add": "add({0}, {1})",
                    "mean": "nn.global_avg_pool2d({0})", "flatten": "nn.batch_flatten({0})",
                    "softmax": "nn.softmax({0}, axis=-1)", "layer_norm": "nn.layer_norm({0}, {1}, {2}, axis=-1)",
                    "batch_matmul": "nn.batch_matmul({0}, {1})",
                    "batch_matmul_t": "nn.batch_matmul({0}, {1}, transpose_b=True)",
                    "dense": f"nn.dense({{0}}, {{1}}, units={p.get('units')})"}[op]
            text = form.format(*a)
        names[i] = bind(text)
    shape = ", ".join(map(str, net.shape))
    return (f'#[version = "0.0.5"]\ndef @main(%x: Tensor[({shape}), {F32}]) {{\n' + "\n".join(lines)
            + f"\n  {names[len(net.nodes) - 1]}\n}}\n" + metadata(net.weights.all))


def onnx_model(net):
    import onnx
    from onnx import helper, numpy_helper
    import numpy as np

    nodes, names, inits = [], {"x": "x"}, []

    def constant(values, dtype=np.float32):
        inits.append(numpy_helper.from_array(np.asarray(values, dtype), f"c{len(inits)}"))
        return inits[-1].name

    def emit(op, *inputs, **attrs):
        out = f"v{len(nodes)}"
        nodes.append(helper.make_node(op, list(inputs), [out], name=out, **attrs))
        return out

    def name(value):
        if not isinstance(value, tuple):
            return names[value]
        shape, values = net.weights.all[value[1]]
        return constant(np.asarray(values).reshape(shape))

    for i, (op, inputs, p) in enumerate(net.nodes):
        if op == "dense":  # (units, inputs) is transposed for MatMul
            shape, values = net.weights.all[inputs[1][1]]
            out = emit("MatMul", name(inputs[0]), constant(np.asarray(values).reshape(shape).T.copy()))
            names[i] = out
            continue
        a = [name(value) for value in inputs]
        if op == "conv":
            out = emit("Conv", *a, strides=[p["stride"]] * 2, pads=[p["pad"]] * 4, group=p["groups"],
                       kernel_shape=[p["kernel"]] * 2)
        elif op == "max_pool":
            out = emit("MaxPool", *a, kernel_shape=[p["kernel"]] * 2, strides=[p["stride"]] * 2, pads=[p["pad"]] * 4)
        elif op == "relu6":
            out = emit("Clip", a[0], constant(0.0), constant(6.0))
        elif op == "scale":
            out = emit("Mul", a[0], constant(p["by"]))
        elif op == "gelu":
            e = emit("Erf", emit("Mul", a[0], constant(math.sqrt(0.5))))
            out = emit("Mul", emit("Mul", a[0], constant(0.5)), emit("Add", e, constant(1.0)))
        elif op == "reshape":
            out = emit("Reshape", a[0], constant(p["shape"], np.int64))
        elif op == "transpose":
            out = emit("Transpose", a[0], perm=list(p["axes"]))
        elif op == "batch_matmul_t":
            out = emit("MatMul", a[0], emit("Transpose", a[1], perm=[0, 2, 1]))
        else:
            kind, attrs = {"batch_norm": ("BatchNormalization", {}), "relu": ("Relu", {}), "add": ("Add", {}),
                           "mean": ("GlobalAveragePool", {}), "flatten": ("Flatten", {}),
                           "softmax": ("Softmax", {"axis": -1}), "batch_matmul": ("MatMul", {}),
                           "layer_norm": ("LayerNormalization", {"axis": -1, "epsilon": 1e-5})}[op]
            out = emit(kind, *a, **attrs)
        names[i] = out
    return make_model(nodes, net.shape, names[len(net.nodes) - 1], inits)


def make_model(nodes, shape, result, inits):
    from onnx import TensorProto, checker, helper, shape_inference
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_empty_tensor_value_info(result)], inits)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    model = shape_inference.infer_shapes(model, strict_mode=True)
    checker.check_model(model)
    return model


# The inputs of all steps are multiplied at once, as the operator of ONNX does.
LSTM = """#[version = "0.0.5"]
import "prelude.rly"
def @cell(%s: (Tensor[(1, {h}), float32], Tensor[(1, {h}), float32]), %x: Tensor[(1, {g}), float32])
    -> (Tensor[(1, {h}), float32], Tensor[(1, {h}), float32]) {{
  %0 = split(%x + nn.dense(%s.0, meta[relay.Constant][1], units={g}), indices_or_sections=4, axis=1);
  let %c = sigmoid(%0.2) * %s.1 + sigmoid(%0.0) * tanh(%0.3);
  (sigmoid(%0.1) * tanh(%c), %c)
}}
def @list(%xs: Tensor[({n}, {g}), float32]) -> List[Tensor[(1, {g}), float32]] {{
  %0 = split(%xs, indices_or_sections={n}, axis=0);
  {cons}
}}
def @main(%x: Tensor[({n}, {i}), float32]) {{
  let %zero = zeros(shape=[1, {h}], dtype="float32");
  %0 = nn.dense(%x, meta[relay.Constant][0], units={g}) + meta[relay.Constant][2];
  %1 = @foldl(@cell, (%zero, %zero), @list(%0));
  %1.0
}}
"""


def lstm(full):
    n, i, h = (32, 128, 256) if full else (8, 16, 32)
    w = Weights(4)  # gates in the order of ONNX: input, output, forget, cell
    for shape in ((4 * h, i), (4 * h, h), (4 * h,)):
        w.new(*shape)
    cons = "Nil"
    for k in reversed(range(n)):
        cons = f"Cons(%0.{k}, {cons})"
    return (n, i, h), w, LSTM.format(n=n, i=i, h=h, g=4 * h, cons=cons) + metadata(w.all)


def lstm_onnx(sizes, w):
    from onnx import helper, numpy_helper
    import numpy as np
    n, i, h = sizes
    wx, wh, b = (np.asarray(values, np.float32).reshape(1, *shape) for shape, values in w.all)
    bias = np.concatenate([b, np.zeros_like(b)], axis=1)
    inits = [numpy_helper.from_array(v, k) for k, v in
             (("w", wx), ("r", wh), ("b", bias), ("s", np.asarray([n, 1, i], np.int64)),
              ("t", np.asarray([1, h], np.int64)))]
    nodes = [helper.make_node("Reshape", ["x", "s"], ["xs"]),
             helper.make_node("LSTM", ["xs", "w", "r", "b"], ["", "y"], hidden_size=h),
             helper.make_node("Reshape", ["y", "t"], ["out"])]
    return make_model(nodes, (n, i), "out", inits)


TREE = """#[version = "0.0.5"]
type Tree {{ Leaf(Tensor[(1, {i}), float32]), Node(Tree, Tree) }}
def @node(%a: (Tensor[(1, {h}), float32], Tensor[(1, {h}), float32]),
          %b: (Tensor[(1, {h}), float32], Tensor[(1, {h}), float32]))
    -> (Tensor[(1, {h}), float32], Tensor[(1, {h}), float32]) {{
  %0 = nn.dense(%a.0, meta[relay.Constant][1], units={g}) + nn.dense(%b.0, meta[relay.Constant][2], units={g})
    + meta[relay.Constant][3];
  %1 = split(%0, indices_or_sections=5, axis=1);
  let %c = sigmoid(%1.0) * tanh(%1.4) + sigmoid(%1.1) * %a.1 + sigmoid(%1.2) * %b.1;
  (sigmoid(%1.3) * tanh(%c), %c)
}}
def @encode(%t: Tree) -> (Tensor[(1, {h}), float32], Tensor[(1, {h}), float32]) {{
  match (%t) {{
    Leaf(%x) => {{
      let %c = nn.dense(%x, meta[relay.Constant][0], units={h});
      (tanh(%c), %c)
    }},
    Node(%l, %r) => @node(@encode(%l), @encode(%r)),
  }}
}}
def @main(%x: Tensor[({n}, {i}), float32]) {{
  %0 = split(%x, indices_or_sections={n}, axis=0);
  %1 = @encode({tree});
  %1.0
}}
"""


def tree_lstm(full):
    n, i, h = (16, 128, 128) if full else (6, 8, 16)
    w = Weights(5)
    for shape in ((h, i), (5 * h, h), (5 * h, h), (5 * h,)):
        w.new(*shape)

    def tree(first, count):  # unbalanced, as parses of sentences are
        if count == 1:
            return f"Leaf(%0.{first})"
        left = max(1, count // 3)
        return f"Node({tree(first, left)}, {tree(first + left, count - left)})"

    return TREE.format(n=n, i=i, h=h, g=5 * h, tree=tree(0, n)) + metadata(w.all)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--full", action="store_true", help="published sizes")
    parser.add_argument("--onnx", action="store_true", help="also write ONNX models")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for make in (resnet18, mobilenetv2, bert_block):
        net = make(args.full)
        (args.folder / f"{net.name}.relay").write_text(relay_text(net))
        if args.onnx:
            (args.folder / f"{net.name}.onnx").write_bytes(onnx_model(net).SerializeToString())
    sizes, weights, text = lstm(args.full)
    (args.folder / "lstm.relay").write_text(text)
    if args.onnx:
        (args.folder / "lstm.onnx").write_bytes(lstm_onnx(sizes, weights).SerializeToString())
    (args.folder / "tree_lstm.relay").write_text(tree_lstm(args.full))


if __name__ == "__main__":
    main()
