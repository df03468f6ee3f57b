"""Writes TFLite models from short descriptions, by the published numbers of the format.

    x = Tensor("x", [1, 4], "int8", scale=0.5, zero=3)
    w = Tensor("w", [2, 4], "int8", scale=0.1, data=bytes(8))
    y = Tensor("y", [1, 2], "int8", scale=1.0)
    model = Model([Subgraph([x], [y], [Operator(9, [x, w, None], [y], options(8, activation=1))])])
    data = model.write()

Needs nothing but Python.
"""
import re
from pathlib import Path

from flatbuffer_writer import Table, Vector, finish

TYPES = ["float32", "float16", "int32", "uint8", "int64", "string", "bool", "int16", "complex64",
         "int8", "float64", "complex128", "uint64", "resource", "variant", "uint32", "uint16",
         "int4", "bfloat16", "int2", "uint4"]
CUSTOM = 32


def read_option_tables():
    """The field lists of option_tables.def, by number; negative numbers are of the second union."""
    path = Path(__file__).resolve().parents[2] / "generator/reader/tflite/format/option_tables.def"
    tables = {}
    for second, number, fields in re.findall(r'^OPTIONS(_2)?\((\d+), "(.*)"\)', path.read_text(),
                                             re.M):
        tables[-int(number) if second else int(number)] = [f for f in fields.split()]
    return tables


OPTION_TABLES = read_option_tables()
SCALARS = {"byte": "u8", "int": "i32", "long": "i64", "float": "f32"}
VECTORS = {"ints": "i32", "longs": "i64", "floats": "f32"}


class Options:
    def __init__(self, number, table):
        self.number = number
        self.table = table


def options(number, **values):
    """An option table; fields that are not named have their defaults."""
    fields = {}
    for slot, field in enumerate(OPTION_TABLES.get(number, ())):
        if field == "-":
            continue
        name, kind = field.split("=")[0].split(":")
        if name not in values:
            continue
        value = values.pop(name)
        if kind in SCALARS:
            fields[slot] = (SCALARS[kind], value)
        elif kind == "str":
            fields[slot] = value
        elif kind == "bytes":
            fields[slot] = Vector("u8", value)
        else:
            fields[slot] = Vector(VECTORS[kind], value)
    assert not values, values
    return Options(number, Table(fields))


class Tensor:
    def __init__(self, name, shape, dtype="float32", scale=None, zero=None, axis=None, data=None,
                 variable=False, signature=None, external=0, blocks=None):
        """`scale` and `zero` are numbers or lists; `data` are bytes or something with tobytes();
        `external` is the number of an external buffer; `blocks` are the tensor of their scales, or its
        number, and the elements of a block."""
        self.name, self.shape, self.dtype = name, list(shape), dtype
        as_list = lambda x: None if x is None else list(x) if hasattr(x, "__iter__") else [x]
        self.scale, self.zero, self.axis = as_list(scale), as_list(zero), axis
        self.data = data.tobytes() if hasattr(data, "tobytes") else data
        self.variable, self.signature, self.external = variable, signature, external
        self.blocks = blocks


class Operator:
    def __init__(self, code, inputs, outputs, options=None, custom="", custom_options=b"",
                 intermediates=()):
        self.code, self.inputs, self.outputs = code, inputs, outputs
        self.options, self.custom, self.custom_options = options, custom, custom_options
        self.intermediates = intermediates


class Subgraph:
    def __init__(self, inputs, outputs, operators, name="main"):
        self.inputs, self.outputs, self.operators, self.name = inputs, outputs, operators, name


class Model:
    def __init__(self, subgraphs, signatures=(), metadata=(), external=()):
        """Signatures are (key, subgraph number, {name: input}, {name: output}), external buffers
        (number, file, offset, length, packing)."""
        self.subgraphs, self.signatures, self.metadata = subgraphs, signatures, metadata
        self.external = external

    def write(self):
        codes, buffers = [], [Table()]
        graphs, numbers = [], []
        for graph in self.subgraphs:
            index = {}
            for tensor in graph_tensors(graph):
                index.setdefault(id(tensor), (len(index), tensor))
            numbers.append({key: number for key, (number, _) in index.items()})
            graphs.append(self.subgraph(graph, index, codes, buffers))
        metadata = []
        for name, data in self.metadata:
            buffers.append(Table({0: Vector("u8", data)}))
            metadata.append(Table({0: name, 1: ("u32", len(buffers) - 1)}))
        signatures = [self.signature(s, numbers) for s in self.signatures]
        root = Table({
            0: ("u32", 3),
            1: [Table({0: ("i8", min(code, 127)), 1: custom or None, 2: ("i32", 1),
                       3: ("i32", code)}) for code, custom in codes],
            2: graphs, 3: "made for a test", 4: buffers, 6: metadata or None,
            7: signatures or None,
            8: [Table({0: b[1]}) for b in self.external] or None,
            9: [Table({0: ("u32", number), 1: ("u32", k), 2: ("u64", offset), 3: ("u64", length),
                       4: packing or None})
                for k, (number, _, offset, length, packing) in enumerate(self.external)] or None})
        return finish(root, b"TFL3")

    @staticmethod
    def signature(signature, numbers):
        key, graph, inputs, outputs = signature
        maps = lambda names: [Table({0: name, 1: ("u32", numbers[graph][id(t)])})
                              for name, t in names.items()]
        return Table({0: maps(inputs), 1: maps(outputs), 2: key, 4: ("u32", graph)})

    @staticmethod
    def subgraph(graph, index, codes, buffers):
        number = lambda t: -1 if t is None else index[id(t)][0]
        operators = []
        for op in graph.operators:
            code = (op.code, op.custom)
            if code not in codes:
                codes.append(code)
            fields = {0: ("u32", codes.index(code)),
                      1: Vector("i32", map(number, op.inputs)),
                      2: Vector("i32", map(number, op.outputs))}
            if op.options is not None:
                first = 3 if op.options.number > 0 else 11
                fields[first] = ("u8", abs(op.options.number))
                fields[first + 1] = op.options.table
            if op.custom_options:
                fields[5] = Vector("u8", op.custom_options)
            if op.intermediates:
                fields[8] = Vector("i32", map(number, op.intermediates))
            operators.append(Table(fields))
        tensors = [tensor_table(tensor, buffers, number) for _, tensor in index.values()]
        return Table({0: tensors, 1: Vector("i32", map(number, graph.inputs)),
                      2: Vector("i32", map(number, graph.outputs)), 3: operators, 4: graph.name})


def tensor_table(tensor, buffers, number):
    buffer = 0
    if tensor.data is not None:
        buffers.append(Table({0: Vector("u8", tensor.data)}))
        buffer = len(buffers) - 1
    quantization = None
    if tensor.scale is not None:
        zeros = tensor.zero if tensor.zero is not None else [0] * len(tensor.scale)
        quantization = Table({2: Vector("f32", tensor.scale), 3: Vector("i64", zeros),
                              6: ("i32", tensor.axis or 0)})
    if tensor.blocks is not None:
        scales, size = tensor.blocks
        scales = scales if isinstance(scales, int) else number(scales)
        quantization = Table({4: ("u8", 2), 5: Table({0: ("i32", scales), 1: ("i32", -1),
                                                      2: ("i32", size)})})
    signature = Vector("i32", tensor.signature) if tensor.signature else None
    return Table({0: Vector("i32", tensor.shape), 1: ("i8", TYPES.index(tensor.dtype)),
                  2: ("u32", buffer), 3: tensor.name, 4: quantization,
                  5: ("bool", True) if tensor.variable else None, 7: signature,
                  10: ("u32", tensor.external) if tensor.external else None})


def graph_tensors(graph):
    yield from graph.inputs
    for op in graph.operators:
        for tensors in (op.inputs, op.outputs, op.intermediates):
            for tensor in tensors:
                if tensor is None:
                    continue
                yield tensor
                if tensor.blocks is not None and not isinstance(tensor.blocks[0], int):
                    yield tensor.blocks[0]
    yield from graph.outputs


def packed_int4(values):
    """Two values to a byte, the first in the low half."""
    values = [int(v) & 15 for v in values]
    values += [0] * (len(values) % 2)
    return bytes(a | b << 4 for a, b in zip(values[::2], values[1::2]))
