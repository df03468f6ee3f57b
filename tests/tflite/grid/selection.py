"""Cases of operators that select or write elements by position, and of resizing."""
from grid.maker import Case, count, fed, options
from grid.movement import axis_value, moved


def places_of(m, shape, limit, dtype="int32", constant=None):
    constant = m.chance(0.3) if constant is None else constant
    return m.tensor(shape, dtype, constant=constant, low=0, high=limit - 1)


def gather(m):
    dtype = m.pick(["float32", "int8", "float32", "int8", "int16", "int32", "int64"])
    shape = m.shape(1, 4, 4)
    axis = m.integer(0, len(shape) - 1)
    batch = m.integer(0, axis) if m.chance(0.4) else 0
    chosen = shape[:batch] + [m.integer(1, 4) for _ in range(m.integer(1 if batch == 0 else 0, 2))]
    if len(chosen) == batch:
        chosen.append(m.integer(1, 3))
    x = moved(m, shape, dtype)
    out = shape[:axis] + chosen[batch:] + shape[axis + 1:]
    return Case(36, [x, places_of(m, chosen, shape[axis])], [m.like(x, out)],
                options(23, axis=axis_value(m, axis, len(shape)), batch_dims=batch))


def gather_nd(m):
    shape = m.shape(1, 4, 4)
    depth = m.integer(1, len(shape))
    outer = m.shape(1, 2, 3)
    values = [m.integer(0, shape[k] - 1) for _ in range(count(outer)) for k in range(depth)]
    x = moved(m, shape, m.pick(["float32", "int8", "int16", "int32"]))
    places = m.tensor(outer + [depth], "int32", constant=m.chance(0.3), values=values)
    return Case(107, [x, places], [m.like(x, outer + shape[depth:])], options(83))


def slice_box(m):
    shape = m.shape(1, 4, 5)
    begin = [m.integer(0, s - 1) for s in shape]
    size = [m.integer(1, s - b) for s, b in zip(shape, begin)]
    x = moved(m, shape, m.pick(["float32", "int8", "int16", "int32", "bool", "int64"]))
    written = [-1 if b + n == s and m.chance() else n for b, n, s in zip(begin, size, shape)]
    return Case(65, [x, m.ints(begin), m.ints(written)], [m.like(x, size)], options(48))


def strided_slice(m):
    shape = m.shape(1, 4, 6)
    n = len(shape)
    begin, end, strides, masks, out = [], [], [], [0, 0, 0], []
    for i, size in enumerate(shape):
        while True:
            stride = m.pick([1, 1, 2, 3, -1, -2])
            b, e = m.integer(-size - 1, size + 1), m.integer(-size - 1, size + 1)
            no_begin, no_end = m.chance(0.2), m.chance(0.2)
            drop = m.chance(0.15) and -size <= b < size
            if drop:
                stride = 1
                no_begin = no_end = False
                break
            taken = range(size)[slice(None if no_begin else b, None if no_end else e, stride)]
            if len(taken):
                break
        begin.append(b)
        end.append(e)
        strides.append(stride)
        masks = [mask | (bit << i) for mask, bit in zip(masks, (no_begin, no_end, drop))]
        if not drop:
            out.append(len(taken))
    x = moved(m, shape, m.pick(["float32", "int8", "int16", "int32", "bool"]))
    assert n == len(begin)
    return Case(45, [x, m.ints(begin), m.ints(end), m.ints(strides)], [m.like(x, out)],
                options(32, begin_mask=masks[0], end_mask=masks[1], shrink_axis_mask=masks[2]))


def strided_slice_added(m):
    """With an ellipsis and new axes, which LiteRT knows."""
    shape = m.shape(2, 3, 5)
    x = m.tensor(shape)
    kind = m.integer(0, 2)
    if kind == 0:  # [newaxis, 1:, ...]
        begin, end, masks = [0, 0 if shape[0] == 1 else 1, 0], [0, shape[0], 0], (4, 1)
        out = [1, end[1] - begin[1]] + shape[1:]
    elif kind == 1:  # [..., 0:1]
        begin, end, masks = [0, 0], [0, 1], (1, 0)
        out = shape[:-1] + [1]
    else:  # [..., newaxis]
        begin, end, masks = [0, 0], [0, 0], (1, 2)
        out = shape + [1]
    return Case(45, [x, m.ints(begin), m.ints(end), m.ints([1] * len(begin))], [m.like(x, out)],
                options(32, ellipsis_mask=masks[0], new_axis_mask=masks[1]))


def strided_slice_moved(m):
    """From places that the data say; an end for each begin."""
    shape = m.shape(1, 3, 6)
    begin = [m.integer(0, size - 1) for size in shape]
    drop = [m.chance(0.4) for _ in shape]
    out = [s - b for s, b, d in zip(shape, begin, drop) if not d]
    begin = [b - s if m.chance(0.2) else b for b, s in zip(begin, shape)]
    x = m.tensor(shape)
    return Case(45, [x, m.tensor([len(shape)], "int32", values=begin), m.ints([0] * len(shape)),
                     m.ints([1] * len(shape))], [m.result(out)],
                options(32, end_mask=2 ** len(shape) - 1,
                        shrink_axis_mask=sum(d << i for i, d in enumerate(drop))))


def update_slice(m):
    shape = m.shape(1, 4, 5)
    part = [m.integer(1, s) for s in shape]
    x = moved(m, shape, m.pick(["float32", "int8", "int16", "int32"]))
    u = m.tensor(part, x.dtype, None if x.scale is None else x.scale[0],
                 None if x.zero is None else x.zero[0])
    starts = m.tensor([len(shape)], "int32", constant=m.chance(0.3),
                      values=[m.integer(-2, s + 1) for s in shape])
    return Case(151, [x, u, starts], [m.like(x, shape)], options(117))


def select(m):
    shape = m.shape(1, 4, 4)
    a = moved(m, shape, m.pick(["float32", "int8", "int16", "int32", "bool", "uint8"]))
    b = m.tensor(shape, a.dtype, None if a.scale is None else a.scale[0],
                 None if a.zero is None else a.zero[0])
    condition = m.tensor(m.pick([shape, shape[:1], []]), "bool")
    return Case(64, [condition, a, b], [m.like(a, shape)], options(47))


def select_v2(m):
    shape = m.shape(1, 4, 4)
    some = lambda: [1 if m.chance(0.2) else s for s in shape]
    shapes = [some() for _ in range(3)]
    out = [max(sizes) for sizes in zip(*shapes)]
    if m.chance(0.4):
        shapes[0] = shapes[0][m.integer(0, len(shape)):]
    out = [max(s, t, c) for s, t, c in zip(shapes[1], shapes[2],
                                           [1] * (len(shape) - len(shapes[0])) + shapes[0])]
    a = moved(m, shapes[1], m.pick(["float32", "int8", "int16", "int32"]))
    b = m.tensor(shapes[2], a.dtype, None if a.scale is None else a.scale[0],
                 None if a.zero is None else a.zero[0])
    return Case(123, [m.tensor(shapes[0], "bool"), a, b], [m.like(a, out)], options(98))


def reverse_sequence(m):
    shape = m.shape(2, 4, 5)
    along, batch = m.shuffled(range(len(shape)))[:2]
    x = moved(m, shape, m.pick(["float32", "int64", "int16", "int32", "uint8"]))
    lengths = m.tensor([shape[batch]], m.pick(["int32", "int64"]), low=1, high=shape[along])
    return Case(112, [x, lengths], [m.like(x, shape)],
                options(87, seq_dim=along, batch_dim=batch))


def scatter_nd(m):
    shape = m.shape(1, 3, 4)
    depth = m.integer(1, len(shape))
    rows = m.integer(1, 5)
    values = [m.integer(0, shape[k] - 1) for _ in range(rows) for k in range(depth)]
    updates = m.tensor([rows] + shape[depth:], m.pick(["float32", "int8", "int32", "int64",
                                                       "uint8"]), low=0, high=9)
    return Case(122, [m.tensor([rows, depth], "int32", values=values), updates, m.ints(shape)],
                [m.result(shape, updates.dtype)], options(97))


def sparse_to_dense(m):
    shape = m.shape(1, 3, 4)
    rows = m.integer(1, 3)
    values = [m.integer(0, s - 1) for _ in range(rows) for s in shape]
    places = m.tensor([rows, len(shape)], "int32", constant=True, values=values)
    dtype = m.pick(["float32", "int32", "int8"])
    v = m.tensor([] if m.chance() else [rows], dtype, low=-9, high=9)
    return Case(68, [places, m.ints(shape), v, m.tensor([], dtype, low=-9, high=9)],
                [m.result(shape, dtype)], options(50))


def embedding_lookup(m):
    shape = m.shape(2, 3, 4)
    ids = m.tensor([m.integer(1, 4)], "int32", low=0, high=shape[0] - 1)
    kind = m.pick(["float32", "int8", "hybrid"])
    if kind == "float32":
        table, out = m.tensor(shape, constant=True), None
    else:
        table = m.quantized(shape, "int8", zero=0, constant=True)
    y = m.result(ids.shape + shape[1:]) if kind != "int8" else \
        m.like(table, ids.shape + shape[1:])
    return Case(7, [ids, table], [y])


def hashtable_lookup(m):
    n, rows = m.integer(1, 5), m.integer(1, 6)
    inner = m.shape(1, 2, 3)
    keys = []
    for _ in range(rows):
        keys.append((keys[-1] if keys else -5) + m.integer(1, 3))
    wanted = m.tensor([n], "int32", low=-5, high=8)
    table = m.tensor([rows] + inner, m.pick(["float32", "int32"]))
    return Case(10, [wanted, m.tensor([rows], "int32", values=keys), table],
                [m.result([n] + inner, table.dtype), m.result([n], "uint8")])


def one_hot(m):
    shape = m.shape(1, 3, 4)
    depth = m.integer(1, 5)
    axis = m.integer(-1, len(shape))
    place = axis if axis >= 0 else len(shape)
    dtype = m.pick(["float32", "int32", "int64", "int8", "bool"])
    x = m.tensor(shape, "int32", low=-1, high=depth)
    return Case(85, [x, m.scalar(depth), m.tensor([], dtype, low=-9, high=9),
                     m.tensor([], dtype, low=-9, high=9)],
                [m.result(shape[:place] + [depth] + shape[place:], dtype)], options(61, axis=axis))


def number_range(m):
    dtype = m.pick(["float32", "int32"])
    step = m.pick([1, 2, -1, 3]) if dtype == "int32" else m.pick([0.1, 0.3, -0.7, 1.0])
    first, n = m.integer(-5, 5), m.integer(1, 9)
    last = first + step * n if dtype == "int32" else first + step * (n - 0.5)
    values = [first, last, step] if dtype == "int32" else [float(first), last, step]
    inputs = [m.tensor([], dtype, constant=True, values=[v]) for v in values]
    return Case(96, inputs, [m.result([n], dtype)], options(73))


def matrix_diag(m):
    x = m.tensor(m.shape(1, 3, 4), m.pick(["float32", "int8", "int32", "int16"]))
    return Case(113, [x], [m.result(x.shape + x.shape[-1:], x.dtype)], options(88))


def matrix_set_diag(m):
    x = m.tensor(m.shape(2, 4, 4), m.pick(["float32", "int8", "int32", "int16"]))
    d = m.tensor(x.shape[:-2] + [min(x.shape[-2:])], x.dtype)
    return Case(115, [x, d], [m.result(x.shape, x.dtype)], options(90))


def bucketize(m):
    bounds = sorted(m.integer(-8, 8) * 0.5 for _ in range(m.integer(1, 6)))
    x = m.tensor(m.shape(), m.pick(["float32", "int32", "int64"]), low=-5, high=5)
    return Case(147, [x], [m.result(x.shape, "int32")], options(115, boundaries=bounds))


def resize(code, table, types):
    def make(m):
        dtype = m.pick(types)
        shape = [m.integer(1, 2), m.integer(1, 5), m.integer(1, 5), m.integer(1, 3)]
        size = [m.integer(1, 9), m.integer(1, 9)]
        mode = m.integer(0, 2)
        x = moved(m, shape, dtype)
        return Case(code, [x, m.ints(size)], [m.like(x, [shape[0]] + size + [shape[3]])],
                    options(table, align_corners=int(mode == 1), half_pixel_centers=int(mode == 2)))
    return make


def hlo_pair(code, types):
    def make(m):
        dtype = m.pick(types)
        shape = m.shape()
        low, high = (0, 7) if code == 207 else (None, None)
        return Case(code, [m.tensor(shape, dtype, low=low, high=high),
                           m.tensor(shape, dtype, low=low, high=high)], [m.result(shape, dtype)])
    return make


def hlo_pad(m):
    shape = m.shape(1, 3, 4)
    low = [m.integer(-1, 2) for _ in shape]
    high = [m.integer(-1, 2) for _ in shape]
    inner = [m.integer(0, 2) for _ in shape]
    sizes = [(s - 1) * (i + 1) + 1 + a + b for s, i, a, b in zip(shape, inner, low, high)]
    if min(sizes) <= 0:
        low, sizes = [2] * len(shape), [s + 2 - a for s, a in zip(sizes, low)]
    x = m.tensor(shape, m.pick(["float32", "int32", "int8"]))
    return Case(195, [x, m.tensor([], x.dtype)], [m.result(sizes, x.dtype)],
                options(-10, padding_low=low, padding_high=high, interior_padding=inner))


def dilate(m):
    shape = m.shape(1, 4, 4)
    steps = [m.integer(1, 3) for _ in shape]
    x = m.tensor(shape, m.pick(["float32", "int32", "int8"]))
    return Case(203, [x, m.ints(steps), m.tensor([], x.dtype, constant=True)],
                [m.result([(s - 1) * d + 1 for s, d in zip(shape, steps)], x.dtype)])


def hlo_gather(m):
    """Rows of slices of a matrix or a cube."""
    shape = [m.integer(2, 5) for _ in range(m.integer(2, 3))]
    n = m.integer(1, 4)
    mapped = m.integer(1, len(shape))
    sizes = [1 if i == 0 else m.integer(1, s) for i, s in enumerate(shape)]
    values = [m.integer(-1, shape[k]) for _ in range(n) for k in range(mapped)]
    x = m.tensor(shape, m.pick(["float32", "int32"]))
    places = m.tensor([n, mapped], "int32", values=values)
    return Case(201, [x, places], [m.result([n] + sizes[1:], x.dtype)],
                options(-16, offset_dims=list(range(1, len(shape))), collapsed_slice_dims=[0],
                        start_index_map=list(range(mapped)), index_vector_dim=1,
                        slice_sizes=sizes))


NUMBERS = ("float32", "int32", "int8", "int16")
FAMILIES = {
    "GATHER": gather, "GATHER_ND": gather_nd, "SLICE": slice_box, "STRIDED_SLICE": strided_slice,
    "STRIDED_SLICE_ADDED": strided_slice_added,
    "STRIDED_SLICE_FED": fed(strided_slice, 1, 2),
    "STRIDED_SLICE_ADDED_FED": fed(strided_slice_added, 1, 2),
    "STRIDED_SLICE_MOVED": strided_slice_moved, "DYNAMIC_UPDATE_SLICE": update_slice,
    "SELECT": select, "SELECT_V2": select_v2, "REVERSE_SEQUENCE": reverse_sequence,
    "SCATTER_ND": scatter_nd, "SPARSE_TO_DENSE": sparse_to_dense,
    "EMBEDDING_LOOKUP": embedding_lookup, "HASHTABLE_LOOKUP": hashtable_lookup,
    "ONE_HOT": one_hot, "RANGE": number_range, "MATRIX_DIAG": matrix_diag,
    "MATRIX_SET_DIAG": matrix_set_diag, "BUCKETIZE": bucketize,
    "RESIZE_BILINEAR": resize(23, 15, ("float32", "int8", "uint8", "int16")),
    "RESIZE_NEAREST_NEIGHBOR": resize(97, 74, ("float32", "int8", "int16", "uint8")),
    "STABLEHLO_ADD": hlo_pair(163, NUMBERS), "STABLEHLO_MULTIPLY": hlo_pair(165, NUMBERS),
    "STABLEHLO_MAXIMUM": hlo_pair(166, NUMBERS), "STABLEHLO_MINIMUM": hlo_pair(181, NUMBERS),
    "STABLEHLO_AND": hlo_pair(176, ("int32", "int8", "int16", "bool")),
    "STABLEHLO_SHIFT_LEFT": hlo_pair(207, ("int32", "int8", "int16")),
    "STABLEHLO_PAD": hlo_pad, "DILATE": dilate, "STABLEHLO_GATHER": hlo_gather,
}
