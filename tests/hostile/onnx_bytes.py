"""Writes ONNX files byte by byte: what no library of ONNX would write as well.

The numbers are the published ones of ONNX's messages; see generator/reader/onnx/format/field_numbers.h.
"""
import struct

FLOAT, UINT8, INT8, INT32, INT64, STRING, BOOL, DOUBLE = 1, 2, 3, 6, 7, 8, 9, 11
FLOAT16, UINT4, INT4 = 10, 21, 22


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def chunk(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def real(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def dim(size):
    if size is None:
        return b""
    return chunk(2, size) if isinstance(size, (str, bytes)) else number(1, size)


def tensor_type(kind, dims):
    shape = b"" if dims is None else chunk(2, b"".join(chunk(1, dim(d)) for d in dims))
    return chunk(1, number(1, kind) + shape)


def info(name, kind=FLOAT, dims=()):
    return chunk(1, name) + chunk(2, tensor_type(kind, dims))


def tensor(name, dims, kind=FLOAT, raw=None, ints=None, external=None):
    out = b"".join(number(1, d) for d in dims) + number(2, kind) + chunk(8, name)
    if ints is not None:
        out += b"".join(number(7, v) for v in ints)
    if raw is not None:
        out += chunk(9, raw)
    if external is not None:
        for key, value in external:
            out += chunk(13, chunk(1, key) + chunk(2, value))
        out += number(14, 1)
    return out


def floats(name, dims, values=None):
    count = 1
    for d in dims:
        count *= d
    return tensor(name, dims, FLOAT, struct.pack("<%df" % count, *(values or [1.0] * count)))


def int64s(name, values, dims=None):
    dims = [len(values)] if dims is None else dims
    return tensor(name, dims, INT64, struct.pack("<%dq" % len(values), *values))


def attribute(name, value):
    out = chunk(1, name)
    if isinstance(value, tuple):  # ("graph", bytes), ("tensor", bytes), ("sparse", bytes)
        field, kind = {"tensor": (5, 4), "graph": (6, 5), "sparse": (22, 11)}[value[0]]
        return out + chunk(field, value[1]) + number(20, kind)
    if isinstance(value, int):
        return out + number(3, value) + number(20, 2)
    if isinstance(value, float):
        return out + real(2, value) + number(20, 1)
    if isinstance(value, (str, bytes)):
        return out + chunk(4, value) + number(20, 3)
    return out + b"".join(number(8, v) for v in value) + number(20, 7)


def node(op, inputs, outputs, name="n", domain="", **attributes):
    out = b"".join(chunk(1, i) for i in inputs) + b"".join(chunk(2, o) for o in outputs)
    out += chunk(3, name) + chunk(4, op)
    out += b"".join(chunk(5, attribute(k, v)) for k, v in attributes.items())
    return out + (chunk(7, domain) if domain else b"")


def sparse(values, indices, dims):
    return chunk(1, values) + chunk(2, indices) + b"".join(number(3, d) for d in dims)


def graph(nodes, inputs=(), outputs=(), initializers=(), infos=(), sparses=(), name="g"):
    out = b"".join(chunk(1, n) for n in nodes) + chunk(2, name)
    out += b"".join(chunk(5, t) for t in initializers)
    out += b"".join(chunk(11, i) for i in inputs) + b"".join(chunk(12, o) for o in outputs)
    out += b"".join(chunk(13, v) for v in infos)
    return out + b"".join(chunk(15, s) for s in sparses)


def opset(domain, version):
    return chunk(8, (chunk(1, domain) if domain else b"") + number(2, version))


def model(graph_bytes, version=21, ir=10, functions=(), more=b""):
    out = number(1, ir) + chunk(7, graph_bytes) + opset("", version) + opset("local", 1)
    return out + b"".join(chunk(25, f) for f in functions) + more


def function(name, inputs, outputs, nodes, domain="local"):
    out = chunk(1, name) + b"".join(chunk(4, i) for i in inputs)
    out += b"".join(chunk(5, o) for o in outputs) + b"".join(chunk(7, n) for n in nodes)
    return out + chunk(9, number(2, 21)) + chunk(10, domain)


def simple(op, inputs, initializers=(), dims=(2, 3), kind=FLOAT, out=None, version=21, **attributes):
    """y = op(inputs), where x is the model's input."""
    outputs = [info("y", kind, out) if out is not None else chunk(1, "y")]
    return model(graph([node(op, inputs, ["y"], **attributes)], [info("x", kind, dims)], outputs,
                       initializers), version)
