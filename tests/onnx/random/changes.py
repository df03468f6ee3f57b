"""Changes of a model that keep most models valid: each takes a case, dice, and attributes seen."""
import copy
import re

import ml_dtypes
import numpy as np
import onnx
import onnx.defs
import onnx.numpy_helper as numpy_helper
from onnx import AttributeProto, TensorProto, helper

FIRST_OPSET, LAST_OPSET = 7, onnx.defs.onnx_opset_version()
SIZES = (0, 1, 1, 2, 3, 4, 5, 7, 8, 16)
SPECIAL = (float("nan"), float("nan"), float("inf"), -float("inf"))
# Operators of which ONNX does not say what they give for NaN and infinities, or for integers that
# count something.
ORDINARY = {"ArgMax", "ArgMin", "Attention", "BatchNormalization", "Cast", "CastLike", "DFT",
            "DynamicQuantizeLinear", "GRU", "GlobalMaxPool", "GridSample", "Hardmax", "LRN", "LSTM",
            "LayerNormalization", "MaxPool", "MaxRoiPool", "Pow", "QLinearConv", "QLinearMatMul",
            "QuantizeLinear", "RNN", "ReduceMax", "ReduceMin", "Relu", "Resize", "RoiAlign", "STFT",
            "TopK", "Unique", "Upsample"}


class Broken(Exception):
    """The change does not apply to the model."""


class Case:
    def __init__(self, name, model, inputs):
        self.name, self.model, self.inputs = name, model, inputs
        self.changes = []

    @property
    def graph(self):
        return self.model.graph

    def node(self, rng):
        return rng.choice(self.graph.node)

    def schema(self, node):
        versions = {o.domain: o.version for o in self.model.opset_import}
        try:
            return onnx.defs.get_schema(node.op_type, versions[node.domain], node.domain)
        except (onnx.defs.SchemaError, KeyError):
            raise Broken("no such operator")

    def tensors(self):
        """The names of the inputs that are tensors, none of which a change before has removed."""
        return [v.name for v in self.graph.input if isinstance(self.inputs.get(v.name), np.ndarray)]


def change_version(case, rng, seen):
    for entry in case.model.opset_import:
        if entry.domain == "":
            entry.version = rng.randint(FIRST_OPSET, LAST_OPSET)


def cast_values(array, dtype):
    if array.dtype.isbuiltin != 1:  # these have casts to some types alone
        array = array.astype(np.float32)
    if np.dtype(dtype).isbuiltin != 1 and "int" in str(np.dtype(dtype)):
        limits = ml_dtypes.iinfo(dtype)
        array = np.clip(np.rint(np.nan_to_num(array.astype(np.float32))), limits.min, limits.max)
    if array.dtype.kind == "f" and np.dtype(dtype).kind in "iu":
        array = np.rint(np.nan_to_num(array.astype(np.float64), posinf=9, neginf=-9) * 4)
        low = 0 if np.dtype(dtype).kind == "u" else -100
        array = np.clip(array, low, 100)
    return array.astype(dtype)


def change_type(case, rng, seen):
    """Another type for one type variable of a node, in all inputs that have it."""
    node = case.node(rng)
    schema = case.schema(node)
    formals = [schema.inputs[min(i, len(schema.inputs) - 1)] for i in range(len(node.input))]
    variables = {c.type_param_str: sorted(c.allowed_type_strs) for c in schema.type_constraints}
    bound = {f.type_str for f, name in zip(formals, node.input) if name in case.tensors()}
    choices = sorted(v for v in bound if v in variables)
    if not choices:
        raise Broken("no type variable")
    variable = rng.choice(choices)
    known = {"tensor(%s)" % name.lower(): number for name, number in TensorProto.DataType.items()}
    wanted = rng.choice(variables[variable])
    if wanted not in known or wanted == "tensor(string)":
        raise Broken("not a tensor of numbers")
    if node.op_type == "Attention" and "int" in wanted:
        raise Broken("a mask of integers, which ONNX does not define")
    number = known[wanted]
    dtype = helper.tensor_dtype_to_np_dtype(number)
    for formal, name in zip(formals, node.input):
        if formal.type_str == variable and name in case.tensors():
            if case.inputs[name].dtype.kind in "OU":
                raise Broken("strings")
            case.inputs[name] = cast_values(case.inputs[name], dtype)
            next(v for v in case.graph.input if v.name == name).type.tensor_type.elem_type = number


def change_attribute(case, rng, seen):
    node = case.node(rng)
    schema = case.schema(node)
    plain = [a for a in schema.attributes.values()
             if a.type.name in ("INT", "FLOAT", "STRING", "INTS", "FLOATS")]
    if not plain:
        raise Broken("no attribute")
    wanted = rng.choice(sorted(plain, key=lambda a: a.name))
    present = [a for a in node.attribute if a.name == wanted.name]
    kept = [a for a in node.attribute if a.name != wanted.name]
    del node.attribute[:]
    node.attribute.extend(kept)
    others = seen.get((node.op_type, wanted.name), [])
    if present and rng.random() < 0.3:
        return  # left out: the default
    if others and rng.random() < 0.5:
        node.attribute.append(rng.choice(others))
        return
    kind = wanted.type.name
    if kind == "INT":
        numbers = {a.i for a in others} | {0}
        value = rng.choice((0, 1)) if numbers <= {0, 1} else max(
            min(numbers), rng.choice((-3, -2, -1, 0, 0, 1, 1, 2, 3)))
    elif kind == "FLOAT":
        value = rng.choice((-1.5, -0.25, 0.0, 0.5, 1.0, 2.0))
    elif kind == "INTS" and present:
        value = list(present[0].ints)
        if not value:
            raise Broken("no elements")
        value[rng.randrange(len(value))] = rng.choice((-1, 0, 1, 2, 3))
    elif kind == "INTS":
        value = [rng.choice((-1, 0, 1, 1, 2)) for _ in range(rng.randint(1, 4))]
    else:
        words = re.findall(r"[\"'`]([A-Za-z_]+)[\"'`]", wanted.description)
        if not words:
            raise Broken("no words")
        value = rng.choice(words)
    node.attribute.append(helper.make_attribute(wanted.name, value))


def resize(array, shape):
    if array.size:
        return np.resize(array, shape)
    return np.full(shape, "" if array.dtype.kind in "OU" else 0, array.dtype)


def set_shape(case, name, array):
    case.inputs[name] = array
    value = next(v for v in case.graph.input if v.name == name)
    number = value.type.tensor_type.elem_type
    value.CopyFrom(helper.make_tensor_value_info(name, number, array.shape))


def change_size(case, rng, seen):
    """Another size in place of all dimensions that are equal, or of one of them."""
    sizes = sorted({d for n in case.tensors() for d in case.inputs[n].shape})
    if not sizes:
        raise Broken("scalars")
    old, new = rng.choice(sizes), rng.choice(SIZES)
    only = rng.choice(case.tensors()) if rng.random() < 0.4 else None
    for name in case.tensors():
        array = case.inputs[name]
        if only in (None, name) and old in array.shape:
            shape = [new if d == old else d for d in array.shape]
            if only:
                shape = list(array.shape)
                shape[rng.choice([i for i, d in enumerate(shape) if d == old])] = new
            set_shape(case, name, resize(array, shape))


def change_rank(case, rng, seen):
    """One dimension more or fewer in front or at the end, of one input or of all."""
    names = case.tensors()
    if not names:
        raise Broken("no tensors")
    names = names if rng.random() < 0.5 else [rng.choice(names)]
    size, front, more = rng.choice((1, 1, 2, 3)), rng.random() < 0.7, rng.random() < 0.7
    for name in names:
        shape = list(case.inputs[name].shape)
        if more:
            shape.insert(0 if front else len(shape), size)
        elif shape:
            shape.pop(0 if front else -1)
        set_shape(case, name, resize(case.inputs[name], shape))


def change_values(case, rng, seen):
    names = [n for n in case.tensors() if case.inputs[n].size and case.inputs[n].dtype.kind in "fiu"]
    if not names:
        raise Broken("no numbers")
    name = rng.choice(names)
    special = rng.random() < 0.3 and not ORDINARY & {node.op_type for node in case.graph.node}
    array = np.array(case.inputs[name])
    flat = array.reshape(-1)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(flat.size)
        if array.dtype.kind == "f":
            choices = ((1.0, 0.5, 2.0) if "scale" in name else
                       (0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.5, 1e4, 30.0, -30.0))
            flat[at] = rng.choice(SPECIAL if special else choices)
        else:
            info = np.iinfo(array.dtype)
            near = (-2, -1, 0, 1, 2, 3, int(flat[at]))
            ends = (info.min, info.min + 1, info.max - 1, info.max)
            counts = array.dtype.itemsize == 8 and array.ndim < 2
            numbers = ends if special and not counts else near
            flat[at] = max(info.min, min(info.max, rng.choice(numbers)))
    case.inputs[name] = array


def change_constants(case, rng, seen):
    """Inputs that become initializers or constants: all small integers, or a random set."""
    names = case.tensors()
    if rng.random() < 0.4:
        names = [n for n in names if case.inputs[n].dtype.kind in "iub" and case.inputs[n].ndim < 2]
    names = [n for n in names if rng.random() < 0.7]
    if not names:
        raise Broken("no constants")
    for name in names:
        tensor = numpy_helper.from_array(case.inputs.pop(name), name)
        value = next(v for v in case.graph.input if v.name == name)
        if tensor.data_type != value.type.tensor_type.elem_type:
            raise Broken("a type that NumPy does not name")
        case.graph.input.remove(value)
        if rng.random() < 0.5:
            case.graph.initializer.append(tensor)
        else:
            case.graph.node.insert(0, helper.make_node("Constant", [], [name], value=tensor))


def change_dynamic(case, rng, seen):
    """Dynamic sizes: a name for each size, or for each dimension."""
    apart = rng.random() < 0.4
    for name in case.tensors():
        value = next(v for v in case.graph.input if v.name == name)
        for i, dim in enumerate(value.type.tensor_type.shape.dim):
            size = case.inputs[name].shape[i]
            if rng.random() < 0.8 and (apart or size > 1):
                dim.dim_param = "%s_%d" % (name, i) if apart else "n%d" % size


def change_operands(case, rng, seen):
    """An optional input or output left out."""
    node = case.node(rng)
    schema = case.schema(node)
    if node.output and rng.random() < 0.3 and len(node.output) > 1:
        gone = node.output.pop()
        outputs = [o for o in case.graph.output if o.name != gone]
        del case.graph.output[:]
        case.graph.output.extend(outputs)
        return
    optional = [i for i, f in enumerate(schema.inputs[:len(node.input)])
                if f.option == onnx.defs.OpSchema.FormalParameterOption.Optional and node.input[i]]
    if not optional:
        raise Broken("no optional input")
    node.input[rng.choice(optional)] = ""
    while node.input and not node.input[-1]:
        node.input.pop()


def change_consumers(case, rng, seen):
    """More nodes that read or make the operands."""
    kind = rng.choice(("before", "after", "twice"))
    if kind == "before" and case.tensors():
        name = rng.choice(case.tensors())
        for node in case.graph.node:
            for i, operand in enumerate(node.input):
                if operand == name:
                    node.input[i] = name + "_same"
        case.graph.node.insert(0, helper.make_node("Identity", [name], [name + "_same"]))
    elif kind == "after":
        output = rng.choice(case.graph.output)
        more = copy.deepcopy(output)
        more.name += "_more"
        case.graph.node.append(helper.make_node("Identity", [output.name], [more.name]))
        case.graph.output.append(more)
    else:
        last = case.graph.node[-1]
        again = copy.deepcopy(last)
        for i, name in enumerate(again.output):
            again.output[i] = name and name + "_again"
        case.graph.node.append(again)
        for output in list(case.graph.output):
            if output.name in last.output:
                more = copy.deepcopy(output)
                more.name += "_again"
                case.graph.output.append(more)


def call_function(case, rng, nodes, inputs, outputs):
    """Makes a function of `nodes`, and perhaps one that calls it, and returns a node that calls it.

    Attributes of one node become attributes of the functions, given by the call or by defaults.
    """
    opsets = list(case.model.opset_import)
    case.model.opset_import.append(helper.make_opsetid("local", 1))
    case.model.ir_version = max(case.model.ir_version, 10)
    given, defaults = [], []
    node = rng.choice(nodes)
    for a in list(node.attribute):
        if a.type not in (AttributeProto.GRAPH, AttributeProto.GRAPHS) and rng.random() < 0.6:
            (given if rng.random() < 0.6 else defaults).append(copy.deepcopy(a))
            name, kind = a.name, a.type
            a.Clear()
            a.name, a.type, a.ref_attr_name = name, kind, name
    names = [a.name for a in given]
    case.model.functions.append(helper.make_function(
        "local", "Inner", inputs, outputs, nodes, opsets, names, defaults))
    if rng.random() < 0.5:
        call = helper.make_node("Inner", inputs, outputs, domain="local")
        call.attribute.extend(given)
        return call
    inner = helper.make_node("Inner", inputs, outputs, domain="local")
    for a in given:
        inner.attribute.append(AttributeProto(name=a.name, type=a.type, ref_attr_name=a.name))
    case.model.functions.append(helper.make_function(
        "local", "Outer", inputs, outputs, [inner], opsets + [helper.make_opsetid("local", 1)],
        names))
    call = helper.make_node("Outer", inputs, outputs, domain="local")
    call.attribute.extend(given)
    return call


def change_place(case, rng, seen):
    """The nodes inside a function of the model, or in a branch of an If."""
    graph = case.graph
    inputs = [v.name for v in graph.input]
    outputs = [o.name for o in graph.output]
    if any(n.domain == "local" or n.op_type == "If" for n in graph.node):
        raise Broken("inside already")
    nodes = [copy.deepcopy(n) for n in graph.node]
    made = {name for node in nodes for name in node.output if name}
    if not set(outputs) <= made:
        raise Broken("an input as an output")
    if rng.random() < 0.6:
        inputs += [t.name for t in graph.initializer]
        call = call_function(case, rng, nodes, inputs, outputs)
    else:
        branches = []
        for k in ("then", "else"):
            inner = copy.deepcopy(nodes)
            for node in inner:
                for i, name in enumerate(node.output):
                    node.output[i] = name and name + "_" + k
                for i, name in enumerate(node.input):
                    node.input[i] = name + "_" + k if name in made else name
            infos = [copy.deepcopy(o) for o in graph.output]
            for info in infos:
                info.name += "_" + k
                if info.type.WhichOneof("value") == "tensor_type":
                    info.type.tensor_type.ClearField("shape")  # a change may have given it another
            branches.append(helper.make_graph(inner, k, [], infos))
        flag = np.array(rng.random() < 0.5)
        case.inputs["taken"] = flag
        graph.input.append(helper.make_tensor_value_info("taken", TensorProto.BOOL, []))
        call = helper.make_node("If", ["taken"], outputs, then_branch=branches[0],
                                else_branch=branches[1])
    del graph.node[:]
    graph.node.append(call)


CHANGES = [change_version, change_type, change_attribute, change_attribute, change_size, change_rank,
           change_values, change_constants, change_dynamic, change_operands, change_consumers,
           change_place]
# Those that name values or sizes as they are then.
LAST = [change_constants, change_dynamic, change_consumers, change_place]
