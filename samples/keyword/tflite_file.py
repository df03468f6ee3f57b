"""Writes a .tflite file of one subgraph: a FlatBuffer by the published slot numbers of the schema.

Tables are dictionaries from slots to values: (format of struct, number), bytes, text, lists of tables,
or arrays (format, numbers).
"""
import struct

TYPES = {"float32": 0, "int32": 2, "bool": 6, "int16": 7, "int8": 9, "uint64": 12, "uint32": 15}
CUSTOM = 32


class Tensor:
    def __init__(self, name, shape, dtype, scale=None, zero=0, data=None, variable=False):
        self.name, self.shape, self.dtype, self.data, self.variable = name, shape, dtype, data, variable
        self.scale, self.zero = scale, zero


class Operator:
    """`options` are the number and the table of a builtin operator; a custom one has a name and a
    FlexBuffer instead."""

    def __init__(self, code, inputs, outputs, options=None, custom=None, custom_options=None):
        self.code, self.inputs, self.outputs = code, inputs, outputs
        self.options, self.custom, self.custom_options = options, custom, custom_options


def ints(values):
    return ("i", list(values))


def add(data, value):
    """Appends a value and what it points to, and returns its position."""
    if isinstance(value, dict):
        return add_table(data, value)
    if isinstance(value, str):
        value = value.encode() + b"\0"
        count, body = len(value) - 1, value
    elif isinstance(value, bytes):
        count, body = len(value), value
    elif isinstance(value, tuple):
        count, body = len(value[1]), struct.pack("<%d%s" % (len(value[1]), value[0]), *value[1])
    else:
        count, body = len(value), bytes(4 * len(value))
    data.extend(bytes(-(len(data) + 4) % 16))  # aligned for elements of any type
    at = len(data)
    data.extend(struct.pack("<I", count) + body)
    if isinstance(value, list):
        for i, item in enumerate(value):
            point(data, at + 4 + 4 * i, add(data, item))
    return at


def point(data, place, target):
    struct.pack_into("<I", data, place, target - place)


def add_table(data, fields):
    fields = {slot: value for slot, value in sorted(fields.items()) if value is not None}
    slots = max(fields, default=-1) + 1
    data.extend(bytes(-len(data) % 8))
    index = len(data)
    data.extend(bytes(-(4 + 2 * slots) % 8 + 4 + 2 * slots))
    at = len(data)
    data.extend(struct.pack("<i", at - index) + bytes(4))
    pointers = []
    for slot, value in fields.items():
        scalar = isinstance(value, tuple) and not isinstance(value[1], list)
        body = struct.pack("<" + value[0], value[1]) if scalar else bytes(4)
        data.extend(bytes(-len(data) % len(body)))
        struct.pack_into("<H", data, index + 4 + 2 * slot, len(data) - at)
        if not scalar:
            pointers.append((len(data), value))
        data.extend(body)
    struct.pack_into("<HH", data, index, 4 + 2 * slots, len(data) - at)
    for place, value in pointers:
        point(data, place, add(data, value))
    return at


def flexbuffer(numbers):
    """A FlexBuffer map from names to whole numbers, in 4 bytes each."""
    data, places = bytearray(), []
    for name in sorted(numbers):
        places.append(len(data))
        data += name.encode() + b"\0"
    data += bytes(-len(data) % 4) + struct.pack("<I", len(places))
    keys = len(data)
    for place in places:
        data += struct.pack("<I", len(data) - place)
    data += struct.pack("<III", len(data) - keys, 4, len(places))
    values = len(data)
    for name in sorted(numbers):
        data += struct.pack("<i", numbers[name])
    data += bytes([1 << 2 | 2] * len(places)) + bytes(-len(places) % 4)  # integers of 4 bytes
    data += struct.pack("<I", len(data) - values)
    return bytes(data + bytes([9 << 2 | 2, 4]))  # a map


def model_file(inputs, outputs, operators):
    """The bytes of a model. Signature `main` names the inputs and outputs."""
    tensors, codes, buffers = [], [], [{}]

    def number(tensor):
        if tensor not in tensors:
            tensors.append(tensor)
        return tensors.index(tensor)

    def operator(op):
        code = (op.code, op.custom)
        if code not in codes:
            codes.append(code)
        union, table = op.options or (None, None)
        return {0: ("I", codes.index(code)), 1: ints(map(number, op.inputs)),
                2: ints(map(number, op.outputs)), 3: union and ("B", union), 4: table,
                5: op.custom_options}

    def tensor(t):
        if t.data is not None:
            buffers.append({0: t.data})
        scale = None if t.scale is None else {2: ("f", [t.scale]), 3: ("q", [t.zero])}
        return {0: ints(t.shape), 1: ("b", TYPES[t.dtype]),
                2: ("I", 0 if t.data is None else len(buffers) - 1), 3: t.name, 4: scale,
                5: ("?", True) if t.variable else None}

    made = [operator(op) for op in operators]
    graph = {1: ints(map(number, inputs)), 2: ints(map(number, outputs)), 3: made, 4: "main"}
    graph[0] = [tensor(t) for t in tensors]
    names = lambda some: [{0: t.name, 1: ("I", number(t))} for t in some]
    root = {0: ("I", 3), 1: [{0: ("b", min(code, 127)), 1: custom, 3: ("i", code)}
                             for code, custom in codes],
            2: [graph], 4: buffers, 7: [{0: names(inputs), 1: names(outputs), 2: "main"}]}
    data = bytearray(4) + b"TFL3"
    point(data, 0, add(data, root))
    return bytes(data)
