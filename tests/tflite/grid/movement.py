"""Cases of operators that move elements or make constants."""
from grid.maker import Case, count, fed, options

MOVED = ("float32", "int8", "int16", "int32", "int64", "bool", "uint8")


def moved(m, shape, dtype, **more):
    if dtype in ("int8", "int16", "uint8"):
        return m.quantized(shape, dtype, **more)
    return m.tensor(shape, dtype, **more)


def axis_value(m, axis, rank):
    return axis - rank if m.chance(0.3) else axis


def reshape(m):
    shape = m.shape(1, 4)
    x = moved(m, shape, m.pick(MOVED))
    n = count(shape)
    target = m.pick([[n], [1, n], [n, 1], shape[::-1]])
    inputs = [x, m.ints(target)] if m.chance(0.8) else [x]
    return Case(22, inputs, [m.like(x, target)], options(17, new_shape=target))


def squeeze(m):
    shape = [1 if m.chance() else m.integer(1, 4) for _ in range(m.integer(1, 4))]
    x = moved(m, shape, m.pick(MOVED))
    ones = [i for i, s in enumerate(shape) if s == 1]
    dims = [a for a in ones if m.chance()]
    gone = dims or ones
    out = [s for i, s in enumerate(shape) if i not in gone]
    return Case(43, [x], [m.like(x, out)],
                options(30, squeeze_dims=[axis_value(m, a, len(shape)) for a in dims]))


def expand_dims(m):
    shape = m.shape(1, 3)
    axis = m.integer(0, len(shape))
    x = moved(m, shape, m.pick(["float32", "int8", "int16"]))
    out = shape[:axis] + [1] + shape[axis:]
    return Case(70, [x, m.scalar(axis_value(m, axis, len(shape) + 1))], [m.like(x, out)],
                options(52))


def transpose(m):
    shape = m.shape(1, 5, 5)
    order = m.shuffled(range(len(shape)))
    x = moved(m, shape, m.pick(["float32", "int8", "int16"]))
    return Case(39, [x, m.ints(order)], [m.like(x, [shape[a] for a in order])], options(26))


def concatenation(m):
    dtype = m.pick(["float32", "int8", "int16", "int32", "int64", "bool", "uint8"])
    shape = m.shape(1, 4, 4)
    axis, n = m.integer(0, len(shape) - 1), m.integer(1, 4)
    parts, total = [], 0
    for _ in range(n):
        size = m.integer(1, 4)
        part = shape[:axis] + [size] + shape[axis + 1:]
        if parts and parts[0].scale:
            parts.append(m.tensor(part, dtype, parts[0].scale[0], parts[0].zero[0],
                                  constant=m.chance(0.2)))
        else:
            parts.append(moved(m, part, dtype))
        total += size
    out = m.like(parts[0], shape[:axis] + [total] + shape[axis + 1:])
    return Case(2, parts, [out], options(10, axis=axis_value(m, axis, len(shape))))


def concatenation_uint8(m):
    case = concatenation(m)
    shape = case.outputs[0].shape
    a, b = m.quantized(shape, "uint8"), m.quantized(shape, "uint8")
    out = m.result([2 * shape[0]] + shape[1:], "uint8", max(a.scale[0], b.scale[0]) * m.scale(1, 2),
                   m.zero("uint8"))
    return Case(2, [a, b], [out], options(10, axis=0))


def pack(m):
    dtype = m.pick(["float32", "int8", "int16", "int32", "int64"])
    shape, n = m.shape(1, 3, 4), m.integer(1, 4)
    axis = m.integer(0, len(shape))
    first = moved(m, shape, dtype)
    parts = [first] + [m.tensor(shape, dtype, *(() if first.scale is None else
                                                (first.scale[0], first.zero[0])))
                       for _ in range(n - 1)]
    return Case(83, parts, [m.like(first, shape[:axis] + [n] + shape[axis:])],
                options(59, values_count=n, axis=axis_value(m, axis, len(shape) + 1)))


def unpack(m):
    shape = m.shape(1, 4, 4)
    axis = m.integer(0, len(shape) - 1)
    x = moved(m, shape, m.pick(["float32", "int8", "int16", "int32"]))
    out = shape[:axis] + shape[axis + 1:]
    return Case(88, [x], [m.like(x, out) for _ in range(shape[axis])],
                options(64, num=shape[axis], axis=axis_value(m, axis, len(shape))))


def split(m):
    parts, each = m.integer(1, 4), m.integer(1, 3)
    shape = m.shape(1, 4, 4)
    axis = m.integer(0, len(shape) - 1)
    shape[axis] = parts * each
    x = moved(m, shape, m.pick(["float32", "int8", "int16", "int32"]))
    out = shape[:axis] + [each] + shape[axis + 1:]
    return Case(49, [m.scalar(axis_value(m, axis, len(shape))), x],
                [m.like(x, out) for _ in range(parts)], options(35, num_splits=parts))


def split_v(m):
    sizes = [m.integer(1, 3) for _ in range(m.integer(1, 4))]
    shape = m.shape(1, 4, 4)
    axis = m.integer(0, len(shape) - 1)
    shape[axis] = sum(sizes)
    x = moved(m, shape, m.pick(["float32", "int8", "int16", "int32"]))
    outs = [m.like(x, shape[:axis] + [s] + shape[axis + 1:]) for s in sizes]
    written = list(sizes)
    if m.chance(0.3):
        written[m.integer(0, len(sizes) - 1)] = -1
    return Case(102, [x, m.ints(written), m.scalar(axis_value(m, axis, len(shape)))], outs,
                options(79, num_splits=len(sizes)))


def pad(m):
    dtype = m.pick(["float32", "int8", "int16", "int32"])
    shape = m.shape(1, 4, 4, 60)
    pads = [m.integer(0, 2) for _ in range(2 * len(shape))]
    x = moved(m, shape, dtype)
    out = [s + pads[2 * i] + pads[2 * i + 1] for i, s in enumerate(shape)]
    table = m.tensor([len(shape), 2], "int32", constant=True, values=pads)
    if m.chance():
        return Case(34, [x, table], [m.like(x, out)], options(22))
    value = m.tensor([], dtype, x.scale, x.zero, constant=True)
    return Case(60, [x, table, value], [m.like(x, out)], options(43))


def mirror_pad(m):
    mode = m.integer(0, 1)
    shape = [m.integer(2, 5) for _ in range(m.integer(1, 4))]
    pads = [m.integer(0, s - 1 if mode == 0 else s) for s in shape for _ in range(2)]
    x = moved(m, shape, m.pick(["float32", "int8"]))
    out = [s + pads[2 * i] + pads[2 * i + 1] for i, s in enumerate(shape)]
    table = m.tensor([len(shape), 2], "int32", constant=True, values=pads)
    return Case(100, [x, table], [m.like(x, out)], options(77, mode=mode))


def blocks(code, table):
    def make(m):
        b = m.integer(1, 3)
        n, h, w, c = m.integer(1, 2), m.integer(1, 3), m.integer(1, 3), m.integer(1, 3)
        small, large = [n, h, w, b * b * c], [n, h * b, w * b, c]
        a, z = (large, small) if code == 26 else (small, large)
        x = moved(m, a, m.pick(["float32", "int8"]))
        return Case(code, [x], [m.like(x, z)], options(table, block_size=b))
    return make


def space_to_batch(m):
    rank = m.integer(3, 4)
    n = rank - 2
    sizes = [m.integer(1, 3) for _ in range(n)]
    space, pads = [], []
    for b in sizes:
        size = b * m.integer(1, 3)
        before = m.integer(0, min(2, size - 1))
        after = m.integer(0, min(2, size - 1 - before))
        space.append(size)
        pads += [before, after]
    batch, depth = m.integer(1, 2), m.integer(1, 3)
    shape = [batch] + [s - pads[2 * i] - pads[2 * i + 1] for i, s in enumerate(space)] + [depth]
    x = m.tensor(shape)
    out = [batch * count(sizes)] + [s // b for s, b in zip(space, sizes)] + [depth]
    return Case(38, [x, m.ints(sizes), m.tensor([n, 2], "int32", constant=True, values=pads)],
                [m.like(x, out)], options(25))


def batch_to_space(m):
    rank = m.integer(3, 4)
    n = rank - 2
    sizes = [m.integer(1, 3) for _ in range(n)]
    space = [m.integer(1, 3) for _ in range(n)]
    crops, out = [], []
    for b, s in zip(sizes, space):
        before = m.integer(0, min(1, b * s - 1))
        after = m.integer(0, min(1, b * s - 1 - before))
        crops += [before, after]
        out.append(b * s - before - after)
    batch, depth = m.integer(1, 2), m.integer(1, 3)
    x = moved(m, [batch * count(sizes)] + space + [depth], m.pick(["float32", "int8"]))
    return Case(37, [x, m.ints(sizes), m.tensor([n, 2], "int32", constant=True, values=crops)],
                [m.like(x, [batch] + out + [depth])], options(24))


def tile(m):
    shape = m.shape(1, 4, 3)
    times = [m.integer(1, 3) for _ in shape]
    x = m.tensor(shape, m.pick(["float32", "int32", "int64", "uint8", "bool"]))
    return Case(69, [x, m.ints(times)], [m.like(x, [s * t for s, t in zip(shape, times)])],
                options(51))


def shape_of(m):
    x = m.tensor(m.shape(1, 4), "float32")
    return Case(77, [x], [m.result([len(x.shape)], "int32")], options(55, out_type=2))


def fill(m):
    shape = m.shape(1, 4)
    x = m.tensor([], m.pick(["float32", "int8", "int32"]))
    if x.dtype == "int8":
        x.scale, x.zero = [0.5], [3]
    return Case(94, [m.ints(shape), x], [m.like(x, shape)], options(68))


def zeros_like(m):
    x = m.tensor(m.shape(), m.pick(["float32", "int32", "int64"]))
    return Case(93, [x], [m.like(x, x.shape)], options(67))


def broadcast_to(m):
    out = m.shape(1, 4, 4)
    shape = [1 if m.chance(0.4) else s for s in out][m.integer(0, len(out) - 1):]
    x = moved(m, shape, m.pick(["float32", "int8", "int16", "int32"]))
    return Case(130, [x, m.ints(out)], [m.like(x, out)], options(104))


def reverse(m):
    shape = m.shape(1, 4, 5)
    axis = m.integer(0, len(shape) - 1)
    x = moved(m, shape, m.pick(["float32", "int8", "int16", "int32", "int64", "bool", "uint8"]))
    return Case(105, [x, m.ints([axis])], [m.like(x, shape)], options(81))


FAMILIES = {
    "RESHAPE": reshape, "SQUEEZE": squeeze, "EXPAND_DIMS": expand_dims, "TRANSPOSE": transpose,
    "TRANSPOSE_FED": fed(transpose, 1),
    "CONCATENATION": concatenation, "CONCATENATION_UINT8": concatenation_uint8, "PACK": pack,
    "UNPACK": unpack, "SPLIT": split, "SPLIT_V": split_v, "PAD": pad, "MIRROR_PAD": mirror_pad,
    "SPACE_TO_DEPTH": blocks(26, 19), "DEPTH_TO_SPACE": blocks(5, 94),
    "SPACE_TO_BATCH_ND": space_to_batch, "BATCH_TO_SPACE_ND": batch_to_space, "TILE": tile,
    "SHAPE": shape_of, "FILL": fill, "ZEROS_LIKE": zeros_like, "BROADCAST_TO": broadcast_to,
    "REVERSE_V2": reverse,
}
