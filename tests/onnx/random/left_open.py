"""Says of a model and its values where ONNX leaves open what a node gives.

Casts of numbers that the target type has not, products of integers that overflow, divisors that are
0, shifts by more bits than there are, labels that are no class; and values of which an oracle is
known to make something else. The operands of such a node are looked up among `values`: inputs,
initializers, and what an oracle says of the values between.
"""
import math

import ml_dtypes
import numpy as np
import onnx
import onnx.inliner
import onnx.numpy_helper as numpy_helper
from faults import attribute
from onnx import TensorProto, helper

NO_INFINITY = {number for name, number in TensorProto.DataType.items() if name.startswith(("FLOAT4", "FLOAT6"))}
E8M0 = dict(TensorProto.DataType.items()).get("FLOAT8E8M0", -1)


def is_float(array):
    return "float" in str(array.dtype)


def limits(dtype):
    info = (np if np.dtype(dtype).isbuiltin == 1 else ml_dtypes).iinfo(dtype)
    return int(info.min), int(info.max)


def uncast(x, target):
    """Which floats of `x` have no defined value as elements of type `target`, and why; or None."""
    wide = x.astype(np.float64)
    if target in NO_INFINITY:
        most = float(ml_dtypes.finfo(helper.tensor_dtype_to_np_dtype(target)).max)
        return ~(np.abs(wide) <= most), "a cast of NaN or of a number beyond a type without infinity"
    if target == E8M0:
        return np.signbit(wide) & ~np.isnan(wide), "a cast of a negative number to float8e8m0"
    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(target))
    if x.dtype == dtype and target == TensorProto.FLOAT8E5M2:
        return np.isinf(wide), "a cast of an infinity to its own type, which the reference saturates"
    if target != TensorProto.STRING and "int" not in str(dtype):
        return None
    if target == TensorProto.STRING:
        return ~np.isfinite(wide), "the spelling of NaN and infinities"
    low, high = limits(dtype)
    # The largest 64-bit integers are rounded up to a number that the type has not.
    inside = np.isfinite(wide) & (np.trunc(wide) >= low) & (np.nan_to_num(wide) < float(high + 1))
    return ~inside, "a cast of a number that the integer type has not"


def cast(node, operands, target):
    x = operands[0]
    if x is None or target is None or not is_float(x):
        return ""
    if target == E8M0 and np.any(np.isinf(x.astype(np.float64))):
        return "an infinity, of which the reference makes NaN in float8e8m0"
    beyond = uncast(x, target)
    return beyond[1] if beyond and np.any(beyond[0]) else ""


def label(node, operands, target):
    scores, labels = operands[0], operands[1] if len(operands) > 1 else None
    if scores is None or labels is None:
        return ""
    ignored = attribute(node, "ignore_index")
    known = (labels >= 0) & (labels < scores.shape[1]) | (labels == ignored if ignored is not None else False)
    return "a label that is no class" if not np.all(known) else ""


def power(node, operands, target):
    x, y = operands[:2]
    if x is None or y is None or is_float(x):
        return ""
    low, high = limits(x.dtype)
    for a, b in zip(*(v.reshape(-1).tolist() for v in np.broadcast_arrays(x, y))):
        if a == 0 and b < 0:
            return "a power of 0 that is infinite"
        if b > 0 and abs(a) > 1 and (b > 64 or not low <= math.trunc(a ** b) <= high):
            return "a power that the integer type has not"
    return ""


def product(node, operands, target):
    x = operands[0]
    if x is None or is_float(x) or x.dtype.kind not in "iu":
        return ""
    of_all = math.prod(abs(v) for v in x.reshape(-1).tolist() if v)
    return "a product that the integer type has not" if of_all > limits(x.dtype)[1] else ""


def divisor(node, operands, target):
    y = operands[1] if len(operands) > 1 else None
    return "a divisor of 0" if y is not None and y.dtype.kind in "iu" and not np.all(y) else ""


def shift(node, operands, target):
    y = operands[1]
    return "a shift by all bits" if y is not None and np.any(y >= y.dtype.itemsize * 8) else ""


def quantize(node, operands, target):
    x, zero = operands[0], operands[2] if len(operands) > 2 else None
    if zero is not None and is_float(zero) and np.any(zero.astype(np.float64) != 0):
        return "a zero point that is a float, which the reference leaves out"
    from_floats = node.op_type == "QuantizeLinear" and x is not None and is_float(x)
    if from_floats and not np.all(np.isfinite(x.astype(np.float64))):
        return "an infinity to quantize, of which the reference makes the least integer"
    return ""


def attend(node, operands, target):
    return "a negative scale, of which the function takes the root" if attribute(node, "scale", 1) < 0 else ""


RULES = {"QuantizeLinear": quantize, "DequantizeLinear": quantize, "Attention": attend,
         "Cast": cast, "CastLike": cast, "NegativeLogLikelihoodLoss": label, "SoftmaxCrossEntropyLoss": label,
         "Pow": power, "ReduceProd": product, "Div": divisor, "Mod": divisor, "BitShift": shift}


def inlined(model):
    return onnx.inliner.inline_local_functions(model) if model.functions else model


def walk(graph, known):
    """The nodes of the graph and of its branches, each with the initializers in its scope."""
    known = {**known, **{t.name: numpy_helper.to_array(t) for t in graph.initializer}}
    for node in graph.node:
        if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
            known[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
        yield node, known
        for a in node.attribute:
            if a.type == onnx.AttributeProto.GRAPH:
                yield from walk(a.g, known)


def wanted(model):
    """The values between nodes that the rules ask for."""
    inner = {name for node in model.graph.node for name in node.output}
    return sorted({name for node in model.graph.node if node.op_type in RULES for name in node.input} & inner)


def target_of(node, operands):
    """The number of the element type that a cast gives."""
    if node.op_type == "Cast":
        return attribute(node, "to")
    like = operands[1] if node.op_type == "CastLike" else None
    return None if like is None else helper.np_dtype_to_tensor_dtype(like.dtype)


def left_open(model, values):
    """Why the standard leaves open what the inlined model gives; empty where it does not."""
    for node, known in walk(model.graph, values):
        if node.op_type in RULES and node.domain in ("", "ai.onnx"):
            operands = [known.get(name) for name in node.input]
            operands = [v if isinstance(v, np.ndarray) and v.dtype.kind not in "OUS" else None
                        for v in operands]
            why = RULES[node.op_type](node, operands + [None], target_of(node, operands))
            if why:
                return why
    return ""


def define_casts(model, inputs):
    """Replaces the inputs, arrays by name, that a cast of the model leaves undefined by 1."""
    model = inlined(model)
    for node, known in walk(model.graph, inputs):
        if node.op_type in ("Cast", "CastLike") and node.input[0] in inputs:
            operands = [known.get(name) for name in node.input]
            x, target = operands[0], target_of(node, operands)
            beyond = uncast(x, target) if target and is_float(x) else None
            if beyond:
                inputs[node.input[0]] = np.where(beyond[0], np.ones((), x.dtype), x)


def described(model):
    """The operators of the inlined model, each with the element types of its inputs and outputs."""
    try:
        model = onnx.shape_inference.infer_shapes(model)
    except onnx.shape_inference.InferenceError:
        pass
    found = set()

    def visit(graph, types):
        types = dict(types)
        for value in list(graph.input) + list(graph.output) + list(graph.value_info):
            types[value.name] = value.type.tensor_type.elem_type
        types.update({t.name: t.data_type for t in graph.initializer})

        def names(values):
            return ",".join(TensorProto.DataType.Name(types.get(v, 0)).lower() if v else "" for v in values)
        for node in graph.node:
            found.add("%s(%s->%s)" % (node.op_type, names(node.input), names(node.output)))
            for a in node.attribute:
                if a.type == onnx.AttributeProto.GRAPH:
                    visit(a.g, types)

    visit(model.graph, {})
    return " ".join(sorted(found))
