"""Operators that move elements, and those that make tensors of shapes."""
import element_types as et
from graph import NotInVersion, count, tensor_bytes


def flatten(g, op):
    x = g.any(g.type(op))
    axis = g.rng.randint(-x.rank if g.opset >= 11 else 0, x.rank)
    at = axis + x.rank if axis < 0 else axis
    g.node(op, [x], [(x.dtype, [count(x.shape[:at]), count(x.shape[at:])])], axis=axis)


def split_product(g, n):
    """A shape of n elements."""
    if n == 0:
        return g.pick([[0], [0, 2], [3, 0, 1]])
    shape = []
    while n > 1 and len(shape) < 3:
        d = g.pick([d for d in range(1, n + 1) if n % d == 0])
        shape.append(d)
        n //= d
    return shape + [n] if n > 1 or g.chance(0.3) else shape


def reshape(g, op):
    x = g.any(g.type(op))
    shape = split_product(g, count(x.shape))
    said = list(shape)
    zero = 0 in shape
    attrs = {}
    if zero:
        if g.opset < 14:
            raise NotInVersion(op)
        attrs["allowzero"] = 1
    else:
        for i in range(len(said)):
            if i < x.rank and x.shape[i] == said[i] and g.chance(0.3):
                said[i] = 0
        if said and 0 not in x.shape and g.chance(0.4):
            said[g.rng.randrange(len(said))] = -1
    if g.opset < 5:
        raise NotInVersion(op)
    g.node(op, [x, g.ints(said)], [(x.dtype, shape)], **attrs)


def squeeze(g, op):
    x = g.any(g.type(op))
    ones = [i for i, d in enumerate(x.shape) if d == 1]
    axes = [i for i in ones if g.chance(0.7)]
    if not axes or g.chance(0.15):
        g.node(op, [x], [(x.dtype, [d for d in x.shape if d != 1])])
        return
    shape = [d for i, d in enumerate(x.shape) if i not in axes]
    said = [i - x.rank if g.opset >= 11 and g.chance(0.4) else i for i in axes]
    if g.opset >= 13:
        g.node(op, [x, g.ints(said)], [(x.dtype, shape)])
    else:
        g.node(op, [x], [(x.dtype, shape)], axes=said)


def unsqueeze(g, op):
    x = g.any(g.type(op), 0, 3)
    rank = x.rank + g.rng.randint(1, 2)
    axes = sorted(g.rng.sample(range(rank), rank - x.rank))
    rest = list(x.shape)
    shape = [1 if i in axes else rest.pop(0) for i in range(rank)]
    said = [i - rank if g.opset >= 11 and g.chance(0.4) else i for i in axes]
    if g.chance(0.3):
        said.reverse()
    if g.opset >= 13:
        g.node(op, [x, g.ints(said)], [(x.dtype, shape)])
    else:
        g.node(op, [x], [(x.dtype, shape)], axes=said)


def transpose(g, op):
    x = g.any(g.type(op))
    if g.chance(0.25):
        g.node(op, [x], [(x.dtype, x.shape[::-1])])
        return
    order = list(range(x.rank))
    g.rng.shuffle(order)
    if not order:
        g.node(op, [x], [(x.dtype, [])])
    else:
        g.node(op, [x], [(x.dtype, [x.shape[i] for i in order])], perm=order)


def shape_of(g, op):
    x = g.any(g.type(op))
    if op == "Size":
        g.node(op, [x], [("int64", [])])
        return
    if g.opset < 15 or g.chance(0.5):
        g.node(op, [x], [("int64", [x.rank])])
        return
    start, end = g.rng.randint(-5, 5), g.pick([None, g.rng.randint(-5, 5)])
    shape = x.shape[max(0, min(x.rank, start + x.rank if start < 0 else start)):]
    first = max(0, min(x.rank, start + x.rank if start < 0 else start))
    last = x.rank if end is None else max(0, min(x.rank, end + x.rank if end < 0 else end))
    shape = x.shape[first:last] if last > first else []
    g.node(op, [x], [("int64", [len(shape)])], start=start, end=end)


def slice_length(size, start, end, step):
    start = start + size if start < 0 else start
    end = end + size if end < 0 else end
    if step > 0:
        start, end = max(0, min(start, size)), max(0, min(end, size))
        return max(0, -(-(end - start) // step))
    start, end = max(0, min(start, size - 1)), max(-1, min(end, size - 1))
    return max(0, -(-(start - end) // -step))


def slice_(g, op):
    x = g.any(g.type(op), 1, 4)
    axes = sorted(g.rng.sample(range(x.rank), g.rng.randint(1, x.rank)))
    if g.chance(0.3):
        g.rng.shuffle(axes)
    starts, ends, steps, shape = [], [], [], list(x.shape)
    for a in axes:
        size = x.shape[a]
        step = 1 if g.opset < 10 or g.chance(0.5) else g.pick([1, 2, 3, -1, -2, -3])
        start = g.pick([0, 0, 1, -1, size, -size, g.rng.randint(-size - 2, size + 2)])
        end = g.pick([size, 2**31 - 1, -1, 0, g.rng.randint(-size - 2, size + 2)])
        if step < 0:
            start, end = (end if end < 2**30 else size - 1), start
            if g.chance(0.5):
                start, end = 2**31 - 1, -(2**31)
        if size == 0:
            start, end = (0, 0) if step > 0 else (-1, -1)
        length = slice_length(size, start, end, step)
        if size == 0:
            length = 0
        starts.append(start)
        ends.append(end)
        steps.append(step)
        shape[a] = length
    said = [a - x.rank if g.opset >= 11 and g.chance(0.3) else a for a in axes]
    if g.opset < 10:
        g.node(op, [x], [(x.dtype, shape)], starts=starts, ends=ends, axes=said)
        return
    t = g.pick(["int64", "int64", "int32"])
    inputs = [x] + [g.ints(v, t) for v in (starts, ends)]
    plain = axes == list(range(len(axes)))
    with_axes = not plain or g.chance(0.6)
    with_steps = any(s != 1 for s in steps) or g.chance(0.3)
    inputs.append(g.ints(said, t) if with_axes else None)
    inputs.append(g.ints(steps, t) if with_steps else None)
    g.node(op, inputs, [(x.dtype, shape)])


def split(g, op):
    x = g.any(g.type(op), 1, 4)
    axis = g.axis(x.rank) if g.opset >= 11 else g.rng.randrange(x.rank)
    size = x.shape[axis]
    parts = g.rng.randint(1, 4)
    cuts = sorted(g.rng.randint(0, size) for _ in range(parts - 1))
    sizes = [b - a for a, b in zip([0] + cuts, cuts + [size])]
    inputs, attrs = [x], {"axis": axis}
    even = size > 0 and g.chance(0.4)
    if even and g.opset >= 18:
        each = -(-size // parts)
        sizes = [max(0, min(each, size - k * each)) for k in range(parts)]
        if 0 in sizes:
            raise NotInVersion(op)
        attrs["num_outputs"] = parts
    elif even and size % parts == 0 and g.opset >= 2:
        sizes = [size // parts] * parts
    elif g.opset >= 13:
        inputs.append(g.ints(sizes))
    else:
        attrs["split"] = sizes
    outs = [(x.dtype, [n if i == axis % x.rank else d for i, d in enumerate(x.shape)])
            for n in sizes]
    g.node(op, inputs, outs, **attrs)


def concat(g, op):
    first = g.any(g.type(op), 1, 4)
    axis = g.axis(first.rank) if g.opset >= 11 else g.rng.randrange(first.rank)
    operands, total = [first], first.shape[axis]
    for _ in range(g.rng.randint(0, 3)):
        shape = list(first.shape)
        shape[axis] = g.pick([shape[axis], g.rng.randint(0, 4)])
        operands.append(first if g.chance(0.15) else g.like(first.dtype, shape))
        total += operands[-1].shape[axis]
    shape = list(first.shape)
    shape[axis] = total
    g.node(op, operands, [(first.dtype, shape)], axis=axis)


def expand(g, op):
    if g.opset < 8:
        raise NotInVersion(op)
    x = g.any(g.type(op), 0, 3)
    shape = [g.size() if d == 1 and g.chance(0.6) else d for d in x.shape]
    shape = [g.size() for _ in range(g.rng.randint(0, 2))] + shape
    if count(shape) > 3000:
        raise NotInVersion(op)
    said = [1 if g.chance(0.3) and i >= len(shape) - x.rank and
            d == x.shape[i - len(shape) + x.rank] else d for i, d in enumerate(shape)]
    g.node(op, [x, g.ints(said)], [(x.dtype, shape)])


def tile(g, op):
    x = g.any(g.type(op))
    repeats = [g.pick([1, 1, 2, 3, 0]) for _ in x.shape]
    g.node(op, [x, g.ints(repeats)], [(x.dtype, [a * b for a, b in zip(x.shape, repeats)])])


def pad(g, op):
    mode = g.pick(["constant", "constant", "edge", "reflect"] + (["wrap"] if g.opset >= 19 else []))
    dtype = g.type(op)
    x = g.any(dtype, 1, 4)
    axes = list(range(x.rank))
    use_axes = g.opset >= 18 and g.chance(0.4)
    if use_axes:
        axes = g.rng.sample(axes, g.rng.randint(1, x.rank))
    before, after = [], []
    shape = list(x.shape)
    for a in axes:
        room = x.shape[a]
        if mode == "constant":
            low, high = -min(1, room), 3
        elif room == 0:
            low, high = 0, 0
        elif mode == "reflect":
            low, high = 0, room - 1
        else:
            low, high = 0, min(room, 3)
        b, e = g.rng.randint(min(low, high), min(high, 3)), g.rng.randint(min(0, high), min(high, 3))
        if room + b + e < 0:
            b, e = 0, 0
        before.append(b)
        after.append(e)
        shape[a] += b + e
    said = [a - x.rank if g.chance(0.3) else a for a in axes]
    if g.opset < 11:
        attrs = {"value": g.rng.randint(-4, 4) / 2.0} if g.chance(0.5) else {}
        g.node(op, [x], [(dtype, shape)], mode=mode, pads=before + after, **attrs)
        return
    value = g.fresh(dtype, [], kind="initializer") if g.chance(0.4) else None
    g.node(op, [x, g.ints(before + after), value, g.ints(said) if use_axes else None],
           [(dtype, shape)], mode=mode if mode != "constant" or g.chance(0.5) else None)


def depth_to_space(g, op):
    block = g.pick([1, 2, 3])
    n, c, h, w = (g.pick([1, 2, 3]) for _ in range(4))
    dtype = g.type(op)
    attrs = {"blocksize": block}
    if op == "DepthToSpace":
        x = g.like(dtype, [n, c * block * block, h, w])
        if g.opset >= 11:
            attrs["mode"] = g.pick([None, "DCR", "CRD"])
        shape = [n, c, h * block, w * block]
    else:
        x = g.like(dtype, [n, c, h * block, w * block])
        if g.opset >= 28:
            attrs["mode"] = g.pick([None, "DCR", "CRD"])
        shape = [n, c * block * block, h, w]
    g.node(op, [x], [(dtype, shape)], **attrs)


def trilu(g, op):
    x = g.any(g.type(op), 2, 4)
    k = g.ints([g.rng.randint(-4, 4)], shape=[]) if g.chance(0.7) else None
    g.node(op, [x, k], [(x.dtype, x.shape)], upper=g.pick([None, 0, 1]))


def eye_like(g, op):
    x = g.any(g.type(op), 2, 2)
    target = g.pick(g.types(op, "T2"))
    dtype = g.pick([None, et.NUMBERS[target]])
    g.node(op, [x], [(target if dtype else x.dtype, x.shape)], dtype=dtype,
           k=g.pick([None, g.rng.randint(-3, 3)]))


def constant_of_shape(g, op):
    shape = g.shape()
    attrs, dtype = {}, "float"
    if g.chance(0.7):
        dtype = g.pick(g.types(op, "T2"))
        attrs["value"] = ("tensor", tensor_bytes("v", dtype, [1], [g.element(dtype)]))
    g.node(op, [g.ints(shape)], [(dtype, shape)], **attrs)


def range_(g, op):
    dtype = g.pick(g.types(op, 0))
    start, delta = g.rng.randint(-3, 3), g.pick([1, 2, 3, -1, -2])
    limit = g.rng.randint(-6, 10)
    if dtype in et.FLOATS and g.chance(0.5):
        start, delta, limit = start / 2.0, delta / 2.0, limit / 2.0
    length = max(0, int(-(-(limit - start) // delta)))
    one = (float if dtype in et.FLOATS else int)
    kind = lambda: g.pick(["initializer", "constant"])  # noqa: E731
    g.node(op, [g.fresh(dtype, [], data=[one(v)], kind=kind()) for v in (start, limit, delta)],
           [(dtype, [length])])


def constant(g, op):
    form = g.pick(["value", "value_float", "value_floats", "value_int", "value_ints"]
                  if g.opset >= 12 else ["value"])
    if form == "value":
        dtype, shape = g.pick(g.types(op, "T")), g.shape()
        value = ("tensor", tensor_bytes("v", dtype, shape, g.elements(dtype, shape)))
        g.node(op, [], [(dtype, shape)], value=value)
        return
    dtype = "float" if "float" in form else "int64"
    n = g.rng.randint(1, 4)
    data = [g.element(dtype) for _ in range(n)]
    g.node(op, [], [(dtype, [n] if form[-1] == "s" else [])],
           **{form: data if form[-1] == "s" else data[0]})


def compress(g, op):
    x = g.any(g.type(op), 1, 4)
    axis = g.pick([None, g.axis(x.rank) if g.opset >= 11 else g.rng.randrange(x.rank)])
    size = count(x.shape) if axis is None else x.shape[axis]
    keep = [g.chance(0.6) for _ in range(g.rng.randint(0, min(size, 30)))]
    shape = [sum(keep)]
    if axis is not None:
        shape = list(x.shape)
        shape[axis] = sum(keep)
    kind = g.pick(["initializer", "constant"])
    g.node(op, [x, g.fresh("bool", [len(keep)], None, keep, kind)], [(x.dtype, shape)], axis=axis)


def reverse_sequence(g, op):
    x = g.any(g.type(op), 2, 4)
    batch = g.pick([0, 1])
    lengths = [g.rng.randint(min(1, x.shape[1 - batch]), x.shape[1 - batch])
               for _ in range(x.shape[batch])]
    g.node(op, [x, g.ints(lengths, open_chance=0.5)], [(x.dtype, x.shape)], batch_axis=batch,
           time_axis=1 - batch)


def one_hot(g, op):
    depth = g.rng.randint(1, 6)
    index_type, depth_type = g.pick(g.types(op, 0)), g.pick(g.types(op, 1))
    value_type = g.pick(g.types(op, 2))
    shape = g.shape(0, 3)
    if index_type in et.FLOATS or index_type in et.UNSIGNED or g.opset < 11:
        low = 0
    else:
        low = -depth
    one = float if index_type in et.FLOATS else int
    indices = g.fresh(index_type, shape, lambda: one(g.rng.randint(low, depth - 1)))
    rank = len(shape) + 1
    axis = g.pick([None, g.axis(rank)])
    at = rank - 1 if axis is None else axis % rank
    out = shape[:at] + [depth] + shape[at:]
    one = float if depth_type in et.FLOATS else int
    d = g.fresh(depth_type, g.pick([[], [1]]), None, [one(depth)], g.pick(["initializer", "constant"]))
    g.node(op, [indices, d, g.fresh(value_type, [2])], [(value_type, out)], axis=axis)


def cumulative(g, op):
    x = g.any(g.type(op), 1, 4)
    axis = g.ints([g.axis(x.rank)], g.pick(g.types(op, 1)), [])
    g.node(op, [x, axis], [(x.dtype, x.shape)], exclusive=g.pick([None, 0, 1]),
           reverse=g.pick([None, 0, 1]))


def non_zero(g, op):
    x = g.fresh(g.type(op), g.shape(1, 3), kind=g.pick(["initializer", "constant", "input"]))
    n = sum(1 for v in x.data if v)
    g.node(op, [x], [("int64", [x.rank, n])])


def unique(g, op):
    x = g.fresh(g.type(op), g.shape(1, 2), kind=g.pick(["initializer", "constant", "input"]))
    distinct = len(set(x.data))
    made = g.node(op, [x], [(x.dtype, [distinct])] +
                  [("int64", [n]) if g.chance(0.5) else None
                   for n in (distinct, count(x.shape), distinct)], sorted=g.pick([None, 1]))
    assert made


OPS = {
    "Flatten": flatten, "Reshape": reshape, "Squeeze": squeeze, "Unsqueeze": unsqueeze,
    "Transpose": transpose, "Shape": shape_of, "Size": shape_of, "Slice": slice_, "Split": split,
    "Concat": concat, "Expand": expand, "Tile": tile, "Pad": pad, "DepthToSpace": depth_to_space,
    "SpaceToDepth": depth_to_space, "Trilu": trilu, "EyeLike": eye_like,
    "ConstantOfShape": constant_of_shape, "Range": range_, "Constant": constant,
    "Compress": compress, "ReverseSequence": reverse_sequence, "OneHot": one_hot,
    "CumSum": cumulative, "CumProd": cumulative, "NonZero": non_zero, "Unique": unique,
}
