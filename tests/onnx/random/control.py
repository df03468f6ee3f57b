"""If, Loop, Scan, sequences and optionals."""
from graph import Graph, NotInVersion, Value

ONE = ["Neg", "Abs", "Relu", "Tanh", "Sigmoid", "Exp", "Identity"]
TWO = ["Add", "Sub", "Mul"]


def step(body, x, with_outer=()):
    """A value of the shape and type of `x`, of one or two nodes."""
    for _ in range(body.rng.randint(1, 2)):
        if body.chance(0.5):
            op = body.pick([o for o in ONE if o not in ("Exp",)])
            if x.dtype != "float" and op in ("Tanh", "Sigmoid", "Relu"):
                op = "Neg"
            x = body.node(op, [x], [(x.dtype, x.shape)])[0]
        else:
            others = [v for v in with_outer if v.dtype == x.dtype and v.shape == x.shape]
            other = body.pick(others) if others and body.chance(0.6) else body.fresh(
                x.dtype, [], kind="initializer")
            x = body.node(body.pick(TWO), [x, other], [(x.dtype, x.shape)])[0]
    return x


def inner(g):
    return Graph(g.rng, g.opset, g.schemas, g)


def parameter(body, dtype, shape):
    value = Value(body.fresh_name("p"), dtype, shape, None, "input")
    body.values.append(value)
    return value


def if_(g, op):
    x = g.any("float", 0, 3)
    known = g.chance(0.3)
    condition = g.fresh("bool", [], kind="initializer" if known else "input")
    branches, names = {}, 1 + g.rng.randint(0, 1)
    for key in ("then_branch", "else_branch"):
        body = inner(g)
        outs = [step(body, x, [x]) for _ in range(names)]
        branches[key] = ("graph", body.subgraph(key, [], outs, g.pick(["shape", "rank", "nothing"])))
    g.node(op, [condition], [("float", x.shape)] * names, **branches)


def loop(g, op):
    x = g.any("float", 0, 2)
    turns = g.pick([0, 1, 2, 3, 4])
    body = inner(g)
    i = parameter(body, "int64", [])
    go = parameter(body, "bool", [])
    state = parameter(body, "float", x.shape)
    after = step(body, state, [state, x])
    scan = step(body, state, [state]) if g.chance(0.6) else None
    known = g.chance(0.6)
    kind = g.pick(["initializer", "constant"]) if known else "input"
    form = g.pick(["trips", "both", "condition"])
    goes = go
    runs = turns
    if form == "condition" or g.chance(0.2):
        limit = body.fresh("int64", [], None, [turns - 1], "initializer")
        goes = body.node("Less", [i, limit], [("bool", [])])[0]
        runs = turns if turns else (1 if form == "condition" else 0)
        if form != "condition":
            runs = min(turns, max(1, turns)) if turns else 0
    else:
        goes = body.node("Identity", [go], [("bool", [])])[0]
    trips = None
    if form != "condition":
        trips = g.fresh("int64", g.pick([[], [1]]), None, [turns], kind)
    first = g.chance(0.85) if form != "trips" else True
    condition = None
    if form != "trips":
        condition = g.fresh("bool", [], None, [first], g.pick(["initializer", "constant"]) if known
                            else "input")
    if not first:
        runs = 0
    outs = [goes, after] + ([scan] if scan else [])
    graph = body.subgraph("body", [i, go, state], outs)
    made = [("float", x.shape)]
    if scan:
        made.append(("float", [runs] + x.shape))
    g.node(op, [trips, condition, x], made, body=("graph", graph))


def scan(g, op):
    if g.opset < 9:
        raise NotInVersion(op)
    element, length = g.shape(0, 2), g.pick([0, 1, 2, 3, 4])
    in_axis, out_axis = g.rng.randint(0, len(element)), g.rng.randint(0, len(element))
    body = inner(g)
    state, one = parameter(body, "float", element), parameter(body, "float", element)
    new = body.node("Add", [state, one], [("float", element)])[0]
    out = step(body, new, [one])
    graph = body.subgraph("body", [state, one], [new, out], g.pick(["shape", "shape", "nothing"]))
    seq_shape = element[:in_axis] + [length] + element[in_axis:]
    out_shape = element[:out_axis] + [length] + element[out_axis:]
    attrs = {"num_scan_inputs": 1}
    rank = len(seq_shape)
    if in_axis or g.chance(0.3):
        attrs["scan_input_axes"] = [in_axis - rank if g.opset >= 11 and g.chance(0.3) else in_axis]
    if out_axis or g.chance(0.3):
        attrs["scan_output_axes"] = [out_axis - rank if g.opset >= 11 and g.chance(0.3) else out_axis]
    if g.chance(0.3):
        attrs["scan_input_directions"] = [g.rng.randint(0, 1)]
    if g.chance(0.3):
        attrs["scan_output_directions"] = [g.rng.randint(0, 1)]
    first = g.like("float", element)
    g.node(op, [first, g.fresh("float", seq_shape)], [("float", element), ("float", out_shape)],
           body=("graph", graph), **attrs)


def sequence(g, op):
    """A sequence is made, changed and taken apart."""
    dtype = g.pick(["float", "int64"])
    items = [g.like(dtype, g.shape(1, 2)) for _ in range(g.rng.randint(1, 3))]
    shapes = [v.shape for v in items]
    s = g.node("SequenceConstruct", items, [(dtype, [], "sequence")])[0]
    if op == "SequenceInsert" or g.chance(0.3):
        new = g.like(dtype, g.shape(1, 2))
        at = g.rng.randint(-len(shapes), len(shapes)) if g.chance(0.7) else None
        position = g.ints([at], shape=[], open_chance=0) if at is not None else None
        place = len(shapes) if at is None else at + len(shapes) if at < 0 else at
        shapes.insert(place, new.shape)
        s = g.node("SequenceInsert", [s, new, position], [(dtype, [], "sequence")])[0]
    if (op == "SequenceErase" or g.chance(0.3)) and len(shapes) > 1:
        at = g.rng.randint(-len(shapes), len(shapes) - 1)
        position = g.ints([at], shape=[], open_chance=0) if g.chance(0.7) else None
        shapes.pop(at if position else -1)
        s = g.node("SequenceErase", [s, position], [(dtype, [], "sequence")])[0]
    if op == "SequenceLength":
        g.node(op, [s], [("int64", [])])
    if op == "SequenceAt" or g.chance(0.5):
        at = g.rng.randint(-len(shapes), len(shapes) - 1)
        g.node("SequenceAt", [s, g.ints([at], shape=[], open_chance=0)], [(dtype, shapes[at])])
    else:
        g.node("SequenceLength", [s], [("int64", [])])


def split_to_sequence(g, op):
    x = g.any(g.pick(["float", "int64", "int32"]), 1, 3)
    axis = g.axis(x.rank)
    size = x.shape[axis]
    if size == 0:
        raise NotInVersion(op)
    form = g.pick(["one", "scalar", "list"])
    keep = None
    sizes = [1] * size
    split = None
    if form == "scalar":
        each = g.rng.randint(1, size)
        split = g.ints([each], shape=[], open_chance=0)
        sizes = [each] * (size // each) + ([size % each] if size % each else [])
    elif form == "list":
        cut = g.rng.randint(0, size)
        sizes = [cut, size - cut]
        split = g.ints(sizes, open_chance=0)
    else:
        keep = g.pick([None, 0, 1])
    s = g.node(op, [x, split], [(x.dtype, [], "sequence")], axis=axis, keepdims=keep)[0]
    at = g.rng.randrange(len(sizes))
    shape = [sizes[at] if i == axis % x.rank else d for i, d in enumerate(x.shape)]
    if keep == 0:
        shape.pop(axis % x.rank)
    if op == "SplitToSequence" and g.chance(0.5):
        g.node("SequenceAt", [s, g.ints([at], shape=[], open_chance=0)], [(x.dtype, shape)])
    elif keep == 0:
        total = list(shape)
        new_axis = g.rng.randint(0, len(shape))
        total.insert(new_axis, size)
        g.node("ConcatFromSequence", [s], [(x.dtype, total)], axis=new_axis, new_axis=1)
    else:
        g.node("ConcatFromSequence", [s], [(x.dtype, x.shape)], axis=axis)


def concat_from_sequence(g, op):
    shape, n = g.shape(1, 3), g.rng.randint(1, 3)
    items = [g.like("float", shape) for _ in range(n)]
    s = g.node("SequenceConstruct", items, [("float", [], "sequence")])[0]
    new = g.pick([None, 0, 1])
    out = list(shape)
    if new:
        axis = g.rng.randint(-len(shape) - 1, len(shape))
        out.insert(axis % (len(shape) + 1), n)
    else:
        axis = g.axis(len(shape))
        out[axis] *= n
    g.node(op, [s], [("float", out)], axis=axis, new_axis=new)


def sequence_empty(g, op):
    x = g.like("float", g.shape(1, 2))
    s = g.node(op, [], [("float", [], "sequence")], dtype=g.pick([None, 1]))[0]
    s = g.node("SequenceInsert", [s, x], [("float", [], "sequence")])[0]
    g.node("SequenceAt", [s, g.ints([0], shape=[], open_chance=0)], [("float", x.shape)])


def optional(g, op):
    if g.opset < 18:
        raise NotInVersion(op)
    x = g.any("float", 0, 3)
    o = g.node("Optional", [x], [("float", [], "optional")])[0]
    if op == "OptionalHasElement" or g.chance(0.4):
        g.node("OptionalHasElement", [o], [("bool", [])])
    g.node("OptionalGetElement", [o], [("float", x.shape)])


OPS = {
    "If": if_, "Loop": loop, "Scan": scan, "SequenceConstruct": sequence, "SequenceAt": sequence,
    "SequenceInsert": sequence, "SequenceErase": sequence, "SequenceLength": sequence,
    "SplitToSequence": split_to_sequence, "ConcatFromSequence": concat_from_sequence,
    "SequenceEmpty": sequence_empty, "Optional": optional, "OptionalGetElement": optional,
    "OptionalHasElement": optional,
}
