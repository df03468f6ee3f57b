"""What the oracles get wrong, by operator: when, and how. A model with such a node is not asked of
that oracle."""
import copy


def attribute(node, name, otherwise=None):
    for a in node.attribute:
        if a.name == name:
            return {1: a.f, 2: a.i, 3: a.s.decode(), 6: list(a.floats), 7: list(a.ints),
                    8: [s.decode() for s in a.strings]}.get(a.type, otherwise)
    return otherwise


def always(node, opset):
    return True


def same_padding(node):
    return attribute(node, "auto_pad", "NOTSET").startswith("SAME")


def automatic_padding(node):
    return attribute(node, "auto_pad", "NOTSET") != "NOTSET"


def dilated(node):
    return any(d != 1 for d in attribute(node, "dilations", []))


def trains(node):
    return attribute(node, "training_mode", 0) != 0


def without_alpha(node):
    """Whether ThresholdedRelu may be left without an alpha, which is 1 then, as that of the operator."""
    activations = [name.lower() for name in attribute(node, "activations", [])]
    take = ("affine", "leakyrelu", "thresholdedrelu", "scaledtanh", "hardsigmoid", "elu")
    wanted = sum(name in take for name in activations)
    return "thresholdedrelu" in activations and len(attribute(node, "activation_alpha", [])) < wanted


def strides_exceed(node):
    """Whether a stride is longer than the window."""
    kernel, strides = attribute(node, "kernel_shape", []), attribute(node, "strides", [])
    return any(s > k for s, k in zip(strides, kernel))


ORT = [
    ("MaxPool", lambda n, v: same_padding(n) and dilated(n), "pads as if there were no dilations"),
    ("LpPool", lambda n, v: same_padding(n), "crops where strides exceed the kernel"),
    ("AveragePool", lambda n, v: same_padding(n) and strides_exceed(n), "crops where strides exceed the kernel"),
    ("MaxPool", lambda n, v: same_padding(n) and strides_exceed(n), "crops where strides exceed the kernel"),
    ("MaxPool", lambda n, v: dilated(n) and any(attribute(n, "pads", [])),
     "gives the lowest finite number for windows of padding alone"),
    ("Resize", lambda n, v: attribute(n, "coordinate_transformation_mode") == "align_corners",
     "counts whole lengths, where ONNX's tests have exact ones"),
    ("ReduceLogSumExp", lambda n, v: True, "rounds the exponentials of integers"),
    ("AveragePool", lambda n, v: same_padding(n) and dilated(n),
     "pads as if there were no dilations"),
    ("Col2Im", lambda n, v: len(attribute(n, "strides", [])) > 2,
     "places blocks of volumes otherwise where pads are unequal"),
    ("MatMulNBits", lambda n, v: len(n.input) > 4 and n.input[3] and n.input[4],
     "takes no zero points where groups are given"),
] + [(op, lambda n, v: without_alpha(n), "takes 0 for the alpha of ThresholdedRelu") for op in ("RNN", "GRU", "LSTM")]

REFERENCE = [
    ("QLinearMatMul", always, "rounds when the zero point is added, to another even number"),
    ("QLinearConv", always, "rounds when the zero point is added, to another even number"),
    ("MaxPool", lambda n, v: same_padding(n), "pads too little where strides exceed the kernel"),
    ("LpPool", lambda n, v: same_padding(n) or (automatic_padding(n) and dilated(n)),
     "pads as if there were no dilations"),
    ("LpPool", lambda n, v: attribute(n, "ceil_mode", 0) != 0, "repeats the last element beyond the end"),
    ("GlobalMaxPool", always, "drops dimensions"),
    ("RoiAlign", lambda n, v: v < 16, "moves regions by half a pixel, which came with version 16"),
    ("LpNormalization", always, "sums elements as they are"),
    ("Softmax", lambda n, v: v < 13, "knows one axis"),
    ("LogSoftmax", lambda n, v: v < 13, "knows one axis"),
    ("Hardmax", lambda n, v: v < 13, "knows one axis"),
    ("AffineGrid", always, "gives float32 of every float"),
    ("RNN", always, "knows few activations"),
    ("GRU", always, "leaves activations out"),
    ("LSTM", always, "leaves activations and input_forget out"),
    ("AveragePool", lambda n, v: automatic_padding(n) and dilated(n),
     "pads as if there were no dilations"),
    ("Optional", always, "adds a dimension"),
    ("SequenceInsert", always, "counts places from the end otherwise"),
    ("Loop", always, "stacks scan outputs with a dimension of their own"),
    ("Scan", always, "knows no axes"),
    ("GroupNormalization", always, "computes in the type of its input"),
    ("ReduceSumSquare", always, "gives sums the type that NumPy gives them"),
    ("ReduceSum", always, "gives sums the type that NumPy gives them"),
    ("ReduceL1", always, "gives sums the type that NumPy gives them"),
    ("ReduceProd", always, "gives products the type that NumPy gives them"),
    ("LRN", always, "sums over other channels"),
    ("GridSample", always, "gives zeros of integers"),
    ("Det", always, "gives float64 of small floats"),
    ("Gemm", always, "multiplies integers as reals"),
    ("LayerNormalization", always, "gives statistics another type"),
    ("BatchNormalization", lambda n, v: trains(n), "gives statistics another type"),
    ("Momentum", always, "gives float64"),
    ("Adagrad", always, "gives float64"),
    ("Adam", always, "gives float64"),
    ("AveragePool", lambda n, v: v < 7, "divides by whole windows, of which version 1 says nothing"),
    ("FlexAttention", lambda n, v: attribute(n, "scale", 1) < 0, "takes the root of a negative scale"),
    ("PRelu", lambda n, v: v < 7, "takes slopes as later versions do"),
]


def all_nodes(model):
    """The nodes of the model, its functions and branches, with referenced attributes replaced."""
    nodes = list(model.graph.node)
    nodes += [node for function in model.functions for node in function.node]
    for node in nodes:  # grows
        for a in node.attribute:
            nodes += a.g.node
    given = {a.name: a for node in nodes for a in node.attribute if not a.ref_attr_name}
    given.update((a.name, a) for function in model.functions for a in function.attribute_proto)
    for node in nodes:
        for i, a in enumerate(node.attribute):
            if a.ref_attr_name in given:
                node = copy.deepcopy(node)
                node.attribute[i].CopyFrom(given[a.ref_attr_name])
        yield node


def faults(table, model):
    """Why an oracle with these faults is not asked for the model; empty where it is."""
    opset = max((o.version for o in model.opset_import if o.domain == ""), default=1)
    found = {"%s %s" % (op, how) for node in all_nodes(model) for op, when, how in table
             if node.op_type == op and when(node, opset)}
    return "; ".join(sorted(found))
