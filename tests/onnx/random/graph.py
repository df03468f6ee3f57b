"""A graph that grows node by node: values with known shapes, written as an ONNX model.

Everything that a model leaves open (dynamic sizes) has a size here, so that generators of operators
say what the results are in plain numbers.
"""
import os
import sys

import element_types as et

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "hostile"))
import onnx_bytes as wire  # noqa: E402


def count(shape):
    n = 1
    for d in shape:
        n *= d
    return n


class Value:
    def __init__(self, name, dtype, shape, data=None, kind="computed", like=None):
        self.name, self.dtype, self.shape = name, dtype, list(shape)
        self.data, self.kind, self.like = data, kind, like  # like: "sequence" or "optional"

    @property
    def rank(self):
        return len(self.shape)


def attribute(name, value):
    """As bytes: floats, strings and mixed lists beyond what wire.attribute writes."""
    if isinstance(value, list) and value and isinstance(value[0], float):
        packed = b"".join(wire.real(7, v) for v in value)
        return wire.chunk(1, name) + packed + wire.number(20, 6)
    if isinstance(value, list) and value and isinstance(value[0], str):
        return wire.chunk(1, name) + b"".join(wire.chunk(9, v) for v in value) + wire.number(20, 8)
    return wire.attribute(name, value)


def tensor_bytes(name, dtype, shape, data):
    if dtype == "string":
        return (b"".join(wire.number(1, d) for d in shape) + wire.number(2, 8) +
                wire.chunk(8, name) + b"".join(wire.chunk(6, s) for s in data))
    return wire.tensor(name, shape, et.NUMBERS[dtype], et.pack(dtype, data))


class Graph:
    def __init__(self, rng, opset, schemas, parent=None):
        self.rng, self.opset, self.schemas, self.parent = rng, opset, schemas, parent
        self.root = parent.root if parent else self
        self.values, self.nodes, self.inputs, self.initializers, self.ops = [], [], [], [], []
        self.names = 0
        self.dynamic = parent is None and rng.random() < 0.35
        self.apart = rng.random() < 0.15  # every open size has a name of its own
        self.loose = []  # results of unknown size
        self.used, self.open_inputs = set(), set()

    # Attempts.
    def mark(self):
        """What take_back needs to remove the nodes and values that come after."""
        lists = (self.values, self.nodes, self.inputs, self.initializers, self.ops, self.loose)
        return [len(each) for each in lists], set(self.used)

    def take_back(self, mark):
        lists = (self.values, self.nodes, self.inputs, self.initializers, self.ops, self.loose)
        for each, length in zip(lists, mark[0]):
            del each[length:]
        self.used = mark[1]

    # What the dice say.
    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return self.rng.choice(list(items))

    def size(self):
        r = self.rng.random()
        if r < 0.03:
            return 0
        if r < 0.2:
            return 1
        return self.pick([2, 3, 4, 5]) if r < 0.88 else self.pick([7, 8, 9, 15, 16, 17])

    def shape(self, low=0, high=4):
        shape = [self.size() for _ in range(self.rng.randint(low, high))]
        while count(shape) > 3000:
            shape[shape.index(max(shape))] = 2
        return shape

    def axis(self, rank):
        return self.rng.randint(-rank, rank - 1)

    def fresh_name(self, stem):
        self.root.names += 1
        return "%s%d" % (stem, self.root.names)

    # Types.
    def types(self, op, which, among=et.ALL):
        """Those that the schema allows for input `which`, a name or an index."""
        return self.schemas.types(op, self.opset, which, among)

    def type(self, op, which=0, among=et.ALL):
        allowed = self.types(op, which, among)
        if not allowed:
            raise NotInVersion(op)
        floats = [t for t in allowed if t == "float"]
        return "float" if floats and self.chance(0.45) else self.pick(allowed)

    def since(self, op):
        return self.schemas.since(op, self.opset)

    # Values.
    def element(self, dtype):
        if dtype == "bool":
            return self.chance(0.5)
        if dtype in et.FLOATS:
            return self.rng.randint(-8, 8) / 4.0
        low, high = et.limits(dtype)
        # Sums of wider ones wrap, of which oracles think otherwise.
        if et.BITS[dtype] <= 16 and self.chance(0.02):
            return self.pick([low, high, low + 1, high - 1])
        return self.rng.randint(max(low, -6), min(high, 9))

    def elements(self, dtype, shape, element=None):
        one = element or (lambda: self.element(dtype))
        return [one() for _ in range(count(shape))]

    def fresh(self, dtype, shape, element=None, data=None, kind=None):
        """A value that no node makes: an input, an initializer, a Constant."""
        if data is None:
            data = self.elements(dtype, shape, element)
        kind = kind or self.pick(["input"] * 5 + ["initializer"] * 3 + ["constant"])
        if self.parent is not None and kind == "input":
            kind = "initializer"
        value = Value(self.fresh_name("x"), dtype, shape, data, kind)
        if kind == "constant":
            tensor = tensor_bytes("value", dtype, shape, data)
            self.nodes.append(("Constant", [], [value.name], {"value": ("tensor", tensor)}))
        elif kind == "input":
            self.inputs.append(value)
        else:
            self.initializers.append(value)
        self.values.append(value)
        return value

    def reuse(self, fits):
        found = [v for v in self.values if v.like is None and fits(v)]
        return self.pick(found) if found and self.chance(0.65) else None

    def any(self, dtype, low=0, high=4, element=None, exact=False):
        """A value of that type: of a node before, or fresh. `exact`: not one that was rounded."""
        shape = self.shape(low, high)
        if element is None:
            found = self.reuse(lambda v: v.dtype == dtype and low <= v.rank <= high and
                               (not exact or v.data is not None))
            if found:
                return found
        return self.fresh(dtype, shape, element)

    def like(self, dtype, shape, element=None, exact=False):
        if element is None:
            found = self.reuse(lambda v: v.dtype == dtype and v.shape == list(shape) and
                               (not exact or v.data is not None))
            if found:
                return found
        return self.fresh(dtype, shape, element)

    def ints(self, data, dtype="int64", shape=None, open_chance=0.05):
        """Numbers that say what a node does; seldom an input, since few compilers take that."""
        kind = "input" if self.chance(open_chance) else self.pick(["initializer", "constant"])
        return self.fresh(dtype, [len(data)] if shape is None else shape, None, list(data), kind)

    def broadcast(self, shape):
        """A shape that broadcasts to `shape`."""
        out = [1 if self.chance(0.25) else d for d in shape]
        return out[self.rng.randint(0, len(out)):] if self.chance(0.3) else out

    # Nodes.
    def node(self, op, inputs, outputs, **attributes):
        """`inputs` are values or None; `outputs` (dtype, shape), or None where it is left out."""
        names = [v.name if v is not None else "" for v in inputs]
        while names and names[-1] == "":
            names.pop()
        made = []
        for out in outputs:
            made.append(None if out is None else
                        Value(self.fresh_name("y"), out[0], out[1], None, "computed",
                              out[2] if len(out) > 2 else None))
        out_names = [v.name if v is not None else "" for v in made]
        while out_names and out_names[-1] == "":
            out_names.pop()
        attributes = {k: v for k, v in attributes.items() if v is not None}
        self.nodes.append((op, names, out_names, attributes))
        self.root.ops.append(op)
        self.used.update(names)
        self.values += [v for v in made if v is not None]
        return made

    # Bytes.
    def info(self, value, declared="shape"):
        if declared == "nothing":
            return wire.chunk(1, value.name)
        dims = [self.dim(value, i, declared) for i in range(value.rank)]
        return wire.info(value.name, et.NUMBERS[value.dtype], dims)

    def dim(self, value, i, declared):
        if declared == "rank":
            return None
        if self.root.dynamic and value.kind == "input" and value.name in self.root.open_inputs:
            size = value.shape[i]
            if self.root.apart:
                return "%s_%d" % (value.name, i) if self.root.chance(0.5) else size
            return "n%d" % size if size > 1 else size
        return value.shape[i]

    def node_bytes(self):
        out = []
        for op, inputs, outputs, attributes in self.nodes:
            data = b"".join(wire.chunk(1, i) for i in inputs)
            data += b"".join(wire.chunk(2, o) for o in outputs)
            data += wire.chunk(3, "n%d" % len(out)) + wire.chunk(4, op)
            data += b"".join(wire.chunk(5, attribute(k, v)) for k, v in attributes.items())
            out.append(data)
        return out

    def initializer_bytes(self):
        return [tensor_bytes(v.name, v.dtype, v.shape, v.data) for v in self.initializers]

    def subgraph(self, name, inputs, outputs, declared="shape"):
        return wire.graph(self.node_bytes(), [self.info(v) for v in inputs],
                          [self.info(v, declared) for v in outputs], self.initializer_bytes(),
                          name=name)

    def model(self, outputs):
        """Bytes of the model, and the inputs that it takes, in order."""
        rng = self.rng
        self.open_inputs = {v.name for v in self.inputs if rng.random() < 0.8}
        old = self.opset <= 8 and rng.random() < 0.5
        infos = [self.info(v) for v in self.inputs]
        if old:  # what has a value is an input too, before or after the others
            more = [self.info(v) for v in self.initializers]
            infos = more + infos if rng.random() < 0.5 else infos + more
        declared = "rank" if self.dynamic else rng.choice(["shape", "shape", "rank", "nothing"])
        out = [self.info(v, "rank" if v in self.loose else declared) for v in outputs]
        graph = wire.graph(self.node_bytes(), infos, out, self.initializer_bytes())
        ir = 3 if old else 8 if self.opset < 19 else 10 if self.opset < 25 else 12
        bytes_ = wire.number(1, ir) + wire.chunk(7, graph) + wire.opset("", self.opset)
        return bytes_, self.inputs


class NotInVersion(Exception):
    """The operator, or the form that was wanted of it, is not in this version."""


class Schemas:
    def __init__(self, path=None):
        path = path or os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas.table")
        self.rows = {}
        with open(path) as file:
            for line in file:
                if line.startswith("#") or not line.strip():
                    continue
                name, version, inputs, types = line.rstrip("\n").split("|")
                self.rows.setdefault(name, []).append((int(version), inputs, types))

    def row(self, op, opset):
        rows = [r for r in self.rows.get(op, ()) if r[0] <= opset]
        if not rows or rows[-1][1] == "deprecated":
            raise NotInVersion(op)
        return rows[-1]

    def since(self, op, opset):
        return self.row(op, opset)[0]

    def newest(self):
        return max(r[0] for rows in self.rows.values() for r in rows)

    def inputs(self, op, opset):
        return [i.rsplit(":", 1) for i in self.row(op, opset)[1].split()]

    def constraints(self, op, opset):
        pairs = (part.partition("=") for part in self.row(op, opset)[2].split(";") if part)
        return {name: types.split() for name, _, types in pairs}

    def types(self, op, opset, which, among):
        inputs = self.inputs(op, opset)
        name = inputs[which][1] if isinstance(which, int) else which
        if name.startswith("tensor("):
            allowed = [name[len("tensor("):-1]]
        else:
            allowed = self.constraints(op, opset).get(name, [])
        return [t for t in among if t in allowed]
