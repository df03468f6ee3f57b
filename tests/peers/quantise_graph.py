"""A graph of convolutions and the like, with its values as int8 between QuantizeLinear and
DequantizeLinear: weights by channel and symmetric, activations by tensor, as the static quantisation of
ONNX Runtime and of PyTorch write them."""
import numpy as np
import onnxruntime
from onnx import helper, TensorProto

from model_builder import Builder

WEIGHTED = ("Conv", "Gemm")


def ranges_of(builder):
    """The least and greatest element of every value of floats, for a random input."""
    names = [o for n in builder.nodes for o in n.output]
    model = builder.model([helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in names])
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    given = {}
    for i in builder.inputs:
        shape = [d.dim_value for d in i.type.tensor_type.shape.dim]
        given[i.name] = np.random.RandomState(2).standard_normal(shape).astype(np.float32)
    ranges = {n: (v.min(), v.max()) for n, v in zip(names, session.run(None, given))}
    ranges.update({n: (v.min(), v.max()) for n, v in given.items()})
    return ranges


class Quantiser:
    def __init__(self, plain, name):
        self.plain, self.ranges = plain, ranges_of(plain)
        self.b = Builder(name)
        self.b.inputs, self.b.outputs = plain.inputs, plain.outputs
        self.there = {i.name: i.name for i in plain.inputs}  # the value that replaces one of `plain`

    def dequantised(self, codes, scale, zero, axis=None):
        attributes = {} if axis is None else {"axis": axis}
        return self.b.op("DequantizeLinear", codes, scale, zero, **attributes)

    def activation(self, value, name):
        low, high = self.ranges[name]
        low, high = min(low, 0), max(high, 0)
        scale = np.float32((high - low) / 255 or 1)
        zero = np.int8(np.clip(np.round(-128 - low / scale), -128, 127))
        scale, zero = self.b.constant(scale), self.b.constant(np.array(zero, np.int8))
        return self.dequantised(self.b.op("QuantizeLinear", value, scale, zero), scale, zero), scale

    def weight(self, name):
        array = self.plain.constants[name]
        scale = np.abs(array.reshape(array.shape[0], -1)).max(1).astype(np.float32) / 127
        codes = np.round(array / scale.reshape([-1] + [1] * (array.ndim - 1))).astype(np.int8)
        zeros = self.b.constant(np.zeros(len(scale), np.int8))
        return self.dequantised(self.b.constant(codes), self.b.constant(scale), zeros, 0), scale

    def bias(self, name, by):
        codes = np.round(self.plain.constants[name] / by).astype(np.int32)
        zeros = self.b.constant(np.zeros(len(by), np.int32))
        return self.dequantised(self.b.constant(codes), self.b.constant(by.astype(np.float32)), zeros, 0)

    def run(self):
        scales = {}
        for i in self.plain.inputs:
            self.there[i.name], scales[i.name] = self.activation(i.name, i.name)
        bounded = {n.input[0] for n in self.plain.nodes if n.op_type in ("Clip", "Relu")}
        for node in self.plain.nodes:
            inputs = []
            for k, name in enumerate(node.input):
                if name not in self.plain.constants:
                    inputs.append(self.there[name])
                elif node.op_type in WEIGHTED and k == 1:
                    value, by = self.weight(name)
                    inputs.append(value)
                elif node.op_type in WEIGHTED and k == 2:
                    inputs.append(self.bias(name, by * self.b.constants[scales[node.input[0]]]))
                else:
                    inputs.append(self.b.constant(self.plain.constants[name]))
            out = node.output[0]
            copy = self.b.op(node.op_type, *inputs, **{a.name: helper.get_attribute_value(a) for a in node.attribute})
            if node.op_type == "Identity":  # the output, as it is
                self.b.nodes[-1].output[0] = out
                continue
            # A bound joins the operator before it.
            self.there[out], scales[out] = (copy, None) if out in bounded else self.activation(copy, out)
        return self.b


def quantised(plain, name):
    return Quantiser(plain, name).run()
