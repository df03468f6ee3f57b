"""Writes a node in the form of an older version: operands as attributes.

Axes, pads, bounds and sizes were attributes before they were inputs, and some attributes did not
exist. Sizes were broadcast at the end alone, and where an attribute says so.
"""
import numpy as np
import onnx
import onnx.defs
from changes import Broken
from onnx import helper

REDUCTIONS = ["Reduce" + name for name in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod",
                                           "Sum", "SumSquare")]
# Of an operator, the inputs that become attributes: by place, the name and the kind.
ATTRIBUTES = {op: {1: ("axes", "ints")} for op in ["Squeeze", "Unsqueeze"] + REDUCTIONS}
ATTRIBUTES.update({
    "Slice": {1: ("starts", "ints"), 2: ("ends", "ints"), 3: ("axes", "ints"), 4: ("steps", "ints")},
    "Pad": {1: ("pads", "ints"), 2: ("value", "float"), 3: ("axes", "ints")},
    "Clip": {1: ("min", "float"), 2: ("max", "float")},
    "Reshape": {1: ("shape", "ints")}, "Split": {1: ("split", "ints")}, "TopK": {1: ("k", "int")},
    "Upsample": {1: ("scales", "floats")}, "DFT": {1: ("dft_length", "int"), 2: ("axis", "int")},
    "Dropout": {1: ("ratio", "float"), 2: ("is_test", "int")},
})


def value_of(array, kind):
    if kind == "int":
        return int(array.reshape(-1)[0])
    if kind == "float":
        return float(array.reshape(-1)[0])
    return [float(v) if kind == "floats" else int(v) for v in array.reshape(-1)]


def take(case, name):
    """The value of an input, which the model has no more if no other node takes it."""
    array = case.inputs.get(name)
    if not isinstance(array, np.ndarray):
        return None
    if not any(name in node.input for node in case.graph.node):
        case.inputs.pop(name)
        case.graph.input.remove(next(v for v in case.graph.input if v.name == name))
    return array


def use_older_form(case, node, opset):
    """Gives the node of the case the operands and attributes of operator set `opset`, where it can."""
    schema = onnx.defs.get_schema(node.op_type, opset)
    inputs = list(node.input)
    if node.op_type == "Resize" and opset == 10 and len(inputs) > 2 and inputs[2]:
        del node.input[:]
        node.input.extend([inputs[0], inputs[2]])
        for gone in inputs[1:2] + inputs[3:]:
            take(case, gone)
    elif node.op_type in ATTRIBUTES and len(inputs) > schema.max_input:
        rows = ATTRIBUTES[node.op_type]
        if node.op_type == "Pad" and opset == 1:
            rows = {**rows, 1: ("paddings", "ints")}
        del node.input[schema.max_input:]
        for i in range(schema.max_input, len(inputs)):
            array = take(case, inputs[i]) if inputs[i] else None
            name, kind = rows.get(i, ("", ""))
            if array is None or not array.size or name not in schema.attributes:
                continue
            node.attribute.append(helper.make_attribute(name, value_of(array, kind)))
        scales = next((list(a.floats) for a in node.attribute if a.name == "scales"), None)
        if node.op_type == "Upsample" and opset == 1 and scales and len(scales) == 4:
            node.attribute.append(helper.make_attribute("height_scale", scales[2]))
            node.attribute.append(helper.make_attribute("width_scale", scales[3]))
    if node.op_type == "Cast" and opset < 6:
        for a in node.attribute:
            if a.name == "to":
                a.CopyFrom(helper.make_attribute("to", onnx.TensorProto.DataType.Name(a.i)))
    if "broadcast" in schema.attributes and len(inputs) == 2:
        a, b = (case.inputs[name].shape for name in inputs)
        if b != a[len(a) - len(b):]:
            raise Broken("sizes that older versions do not broadcast")
        node.attribute.append(helper.make_attribute("broadcast", int(a != b)))
    known = [a for a in node.attribute if a.name in schema.attributes]
    del node.attribute[:]
    node.attribute.extend(known)


def use_type_in_bodies(node, old, new):
    """Gives the values of element type `old` in the bodies of the node the type `new`."""
    for a in node.attribute:
        if a.type != onnx.AttributeProto.GRAPH:
            continue
        for value in list(a.g.input) + list(a.g.output) + list(a.g.value_info):
            if value.type.tensor_type.elem_type == old:
                value.type.tensor_type.elem_type = new
        dtype = helper.tensor_dtype_to_np_dtype(new)
        tensors = list(a.g.initializer) + [b.t for inner in a.g.node for b in inner.attribute if b.name == "value"]
        for tensor in tensors:
            if tensor.data_type == old and new == onnx.TensorProto.STRING:
                raise Broken("numbers in a body of strings")
            if tensor.data_type == old:
                array = onnx.numpy_helper.to_array(tensor).astype(np.float32).astype(dtype)
                tensor.CopyFrom(onnx.numpy_helper.from_array(array, tensor.name))
        for inner in a.g.node:
            use_type_in_bodies(inner, old, new)
