"""Writes ONNX models from the text form of ONNX, which `onnx.parser.parse_model` also reads.

    <ir_version: 10, opset_import: ["" : 21]>
    relu (float[2,3] x) => (float[2,3] y) { y = Relu(x) }

Values are tensors, sequences (`seq(float[2])`), optionals (`optional(float)`) and maps (`map(int64, float)`); attributes are numbers,
strings, lists, tensors and graphs. Needs nothing but Python.
"""
import re
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/hostile"))
from onnx_bytes import chunk, dim, number, real  # noqa: E402

# The published numbers of the element types, with the codes of struct for their bytes.
TYPES = {"float": (1, "f"), "uint8": (2, "B"), "int8": (3, "b"), "uint16": (4, "H"), "int16": (5, "h"), "int32": (6, "i"), "int64": (7, "q"),
         "string": (8, None), "bool": (9, "?"), "float16": (10, "e"), "double": (11, "d"), "uint32": (12, "I"), "uint64": (13, "Q"),
         "bfloat16": (16, None), "uint4": (21, None), "int4": (22, None)}
TOKEN = re.compile(r"""\s+|(?P<name>[A-Za-z_][A-Za-z0-9_./]*)|(?P<float>-?\d+\.\d*(?:e-?\d+)?|-?\d+e-?\d+)|(?P<int>-?\d+)|"(?P<str>[^"]*)"|(?P<sign>=>|[\[\](){}<>,:=?])""")


class TextError(Exception):
    pass


def tokens_of(text):
    tokens, at = [], 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise TextError("unknown character: " + text[at:at + 20])
        if found.lastgroup:
            tokens.append((found.lastgroup, found.group(found.lastgroup)))
        at = found.end()
    return tokens


def packed(dtype, values):
    if dtype == "int4" or dtype == "uint4":
        halves = [v & 15 for v in values] + [0] * (len(values) % 2)
        return bytes(low | high << 4 for low, high in zip(halves[::2], halves[1::2]))
    if dtype == "bfloat16":
        return b"".join(struct.pack("<f", v)[2:] for v in values)
    return struct.pack("<%d%s" % (len(values), TYPES[dtype][1]), *values)


class Parser:
    def __init__(self, text):
        self.tokens, self.at = tokens_of(text), 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ("end", "")

    def accept(self, sign):
        if self.peek() == ("sign", sign):
            self.at += 1
            return True
        return False

    def expect(self, sign):
        if not self.accept(sign):
            raise TextError("expected '%s', got '%s'" % (sign, self.peek()[1]))

    def take(self, *kinds):
        kind, value = self.peek()
        if kind not in kinds:
            raise TextError("expected %s, got '%s'" % (" or ".join(kinds), value))
        self.at += 1
        return value

    def listed(self, end, item):
        """Items up to `end`, which may follow at once."""
        items = []
        while not self.accept(end):
            items.append(item())
            if not self.accept(","):
                self.expect(end)
                break
        return items

    def number(self):
        kind, value = self.peek()
        self.at += 1
        if kind == "int":
            return int(value)
        if kind == "float":
            return float(value)
        if kind == "str":
            return value
        raise TextError("expected a value, got '%s'" % value)

    def dims(self):
        if not self.accept("["):
            return []

        def one():
            if self.accept("?"):
                return None
            return int(self.take("int")) if self.peek()[0] == "int" else self.take("name")
        return self.listed("]", one)

    def type(self):
        """(wire bytes of a TypeProto, dtype, dims); the last two of tensors only."""
        name = self.take("name")
        if name == "map":
            self.expect("(")
            key = self.take("name")
            self.expect(",")
            value, _, _ = self.type()
            self.expect(")")
            return chunk(5, number(1, TYPES[key][0]) + chunk(2, value)), None, None
        if name in ("seq", "optional"):
            self.expect("(")
            inner, _, _ = self.type()
            self.expect(")")
            return chunk({"seq": 4, "optional": 9}[name], chunk(1, inner)), None, None
        if name not in TYPES:
            raise TextError("unknown type '%s'" % name)
        dims = self.dims()
        shape = chunk(2, b"".join(chunk(1, dim(d)) for d in dims))
        return chunk(1, number(1, TYPES[name][0]) + shape), name, dims

    def elements(self, dtype, dims, name):
        self.expect("{")
        values = self.listed("}", self.number)
        out = b"".join(number(1, d) for d in dims) + number(2, TYPES[dtype][0]) + (chunk(8, name) if name else b"")
        if dtype == "string":
            return out + b"".join(chunk(6, v) for v in values)
        return out + chunk(9, packed(dtype, values))

    def value_info(self):
        typed, dtype, dims = self.type()
        name = self.take("name")
        data = self.elements(dtype, dims, name) if self.accept("=") else None
        return chunk(1, name) + chunk(2, typed), data

    def attribute(self):
        name = self.take("name")
        self.expect("=")
        out = chunk(1, name)
        kind, value = self.peek()
        if kind == "name":
            if value in TYPES and self.peek(1)[1] in ("[", "{"):
                _, dtype, dims = self.type()
                return out + chunk(5, self.elements(dtype, dims, "")) + number(20, 4)
            return out + chunk(6, self.graph()) + number(20, 5)
        if self.accept("["):
            values = self.listed("]", self.number)
            if any(isinstance(v, str) for v in values):
                return out + b"".join(chunk(9, v) for v in values) + number(20, 8)
            if any(isinstance(v, float) for v in values):
                return out + b"".join(real(7, v) for v in values) + number(20, 6)
            return out + b"".join(number(8, v) for v in values) + number(20, 7)
        value = self.number()
        if isinstance(value, str):
            return out + chunk(4, value) + number(20, 3)
        return out + (real(2, value) + number(20, 1) if isinstance(value, float) else number(3, value) + number(20, 2))

    def node(self):
        outputs = [self.take("name")]
        while self.accept(","):
            outputs.append(self.take("name") if self.peek()[0] == "name" else "")
        self.expect("=")
        domain, _, op = self.take("name").rpartition(".")
        attributes = self.listed(">", self.attribute) if self.accept("<") else []
        self.expect("(")
        inputs = self.listed(")", lambda: self.take("name") if self.peek()[0] == "name" else "")
        return (b"".join(chunk(1, i) for i in inputs) + b"".join(chunk(2, o) for o in outputs) + chunk(4, op) +
                b"".join(chunk(5, a) for a in attributes) + (chunk(7, domain) if domain else b""))

    def graph(self):
        name = self.take("name")
        self.expect("(")
        inputs = self.listed(")", self.value_info)
        self.expect("=>")
        self.expect("(")
        outputs = self.listed(")", self.value_info)
        constants = self.listed(">", self.value_info) if self.accept("<") else []
        self.expect("{")
        nodes = []
        while not self.accept("}"):
            nodes.append(self.node())
        return (b"".join(chunk(1, n) for n in nodes) + chunk(2, name) + b"".join(chunk(5, data) for _, data in constants) +
                b"".join(chunk(11, info) for info, _ in inputs) + b"".join(chunk(12, info) for info, _ in outputs))

    def model(self):
        """<ir_version: 10, opset_import: ["" : 21]> and a graph."""
        self.expect("<")
        self.take("name")
        self.expect(":")
        version = int(self.take("int"))
        self.expect(",")
        self.take("name")
        self.expect(":")
        self.expect("[")

        def opset():
            domain = self.take("str")
            self.expect(":")
            return chunk(8, (chunk(1, domain) if domain else b"") + number(2, int(self.take("int"))))
        opsets = self.listed("]", opset)
        self.expect(">")
        graph = self.graph()
        if self.peek()[0] != "end":
            raise TextError("text after the graph: '%s'" % self.peek()[1])
        return number(1, version) + chunk(7, graph) + b"".join(opsets)


def model_bytes(text):
    return Parser(text).model()
