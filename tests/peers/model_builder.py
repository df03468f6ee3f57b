"""Builds graphs of ONNX with random weights, node by node, as the exporters of frameworks write them.

    b = Builder("net", seed=1)
    x = b.input("x", ["batch", 16])
    b.output(b.op("Relu", x), "y", ["batch", 16])
    b.save(folder)
"""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TYPES = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64, "int8": TensorProto.INT8,
         "uint8": TensorProto.UINT8, "int32": TensorProto.INT32, "float16": TensorProto.FLOAT16}


class Builder:
    def __init__(self, name, seed=1, opset=17, real="float32"):
        self.name, self.opset, self.real = name, opset, real  # the dtype of non-integer tensors
        self.random = np.random.RandomState(seed)
        self.nodes, self.inputs, self.outputs, self.constants = [], [], [], {}

    def input(self, name, shape, dtype=None):
        self.inputs.append(helper.make_tensor_value_info(name, TYPES[dtype or self.real], shape))
        return name

    def output(self, value, name, shape, dtype=None):
        self.nodes.append(helper.make_node("Identity", [value], [name], name=f"to_{name}"))
        self.outputs.append(helper.make_tensor_value_info(name, TYPES[dtype or self.real], shape))

    def constant(self, array, name=None):
        name = name or f"c{len(self.constants)}"
        self.constants[name] = np.asarray(array)
        return name

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def number(self, value):
        return self.constant(np.array(value, self.real))

    def weight(self, *shape, spread=None):
        """Numbers around 0; of a size that leaves activations as large as they were."""
        fan = int(np.prod(shape[1:])) if len(shape) > 1 else shape[0]
        spread = spread or (1.0 / fan) ** 0.5
        return self.constant((self.random.standard_normal(shape) * spread).astype(self.real))

    def op(self, op, *inputs, outputs=1, **attributes):
        names = [f"v{len(self.nodes)}" + (f"_{k}" if outputs > 1 else "") for k in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, name=f"{op}_{len(self.nodes)}",
                                           **attributes))
        return names if outputs > 1 else names[0]

    def conv(self, x, channels, into, kernel=1, stride=1, groups=1, bias=True, gain=2.0):
        w = self.weight(into, channels // groups, kernel, kernel,
                        spread=(gain * groups / (channels * kernel * kernel)) ** 0.5)
        inputs = [x, w] + ([self.weight(into, spread=0.1)] if bias else [])
        return self.op("Conv", *inputs, kernel_shape=[kernel, kernel], strides=[stride, stride],
                       pads=[kernel // 2] * 4, group=groups)

    def linear(self, x, into, out):
        """As exporters write a linear layer of tensors of more than two dimensions."""
        w = self.constant((self.random.standard_normal((into, out)) / into ** 0.5).astype(self.real))
        return self.op("Add", self.weight(out, spread=0.02), self.op("MatMul", x, w))

    def norm(self, x, width):
        scale = self.constant((1 + 0.1 * self.random.standard_normal(width)).astype(self.real))
        return self.op("LayerNormalization", x, scale, self.weight(width, spread=0.02),
                       axis=-1, epsilon=1e-5)

    def size(self, x, axis):
        return self.op("Gather", self.op("Shape", x), self.constant(np.array(axis, np.int64)), axis=0)

    def joined(self, *sizes):
        """A shape of sizes, numbers or scalars of the graph, for Reshape."""
        parts = [self.op("Unsqueeze", s, self.ints(0)) if isinstance(s, str) else self.ints(s)
                 for s in sizes]
        return self.op("Concat", *parts, axis=0)

    def heads(self, x, count, width):
        """(batch, length, heads * width) as (batch, heads, length, width)."""
        shape = self.joined(self.size(x, 0), self.size(x, 1), count, width)
        return self.op("Transpose", self.op("Reshape", x, shape), perm=[0, 2, 1, 3])

    def unheads(self, x, width):
        turned = self.op("Transpose", x, perm=[0, 2, 1, 3])
        shape = self.joined(self.size(turned, 0), self.size(turned, 1), width)
        return self.op("Reshape", turned, shape)

    def gelu(self, x):
        part = self.op("Erf", self.op("Div", x, self.number(2 ** 0.5)))
        return self.op("Mul", self.op("Mul", x, self.op("Add", part, self.number(1))), self.number(0.5))

    def model(self, outputs=None):
        constants = [numpy_helper.from_array(a, n) for n, a in self.constants.items()]
        graph = helper.make_graph(self.nodes, self.name, self.inputs, outputs or self.outputs, constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)

    def save(self, folder):
        path = folder / self.name / "model.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.model().SerializeToString())
        return path
