"""Cases of operators that move, select and write elements, with every type, ranks 0 to 6, sizes 0 and
1, positions of int32 and int64, and operands that are constants."""
from grid.every_type import TYPES, any_tensor, plain, scaled, shape_of
from grid.maker import Case, count, options
from grid.movement import axis_value
from grid.reductions import kept

POSITIONS = ["int32", "int64"]


def data_of(m, shape, dtype=None, **more):
    dtype = dtype or m.pick(TYPES)
    return any_tensor(m, shape, dtype, scaled(m, dtype), **more)


def like_it(m, x, shape, **more):
    """Another operand with the type and scale of `x`."""
    if x.scale is None:
        return plain(m, shape, x.dtype, **more)
    return m.tensor(shape, x.dtype, x.scale[0], x.zero[0], **more)


def numbers(m, values, dtype=None):
    return m.ints(values, dtype or m.pick(POSITIONS))


def reshape(m):
    shape = shape_of(m)
    n = count(shape)
    target = m.pick([[n], [1, n], shape[::-1], [1] + shape[:5], [n, 1, 1], shape])
    if n == 1 and m.chance(0.3):
        target = []
    written = list(target)
    if target and n and m.chance(0.3):
        written[m.integer(0, len(target) - 1)] = -1
    x = data_of(m, shape)
    inputs = [x, m.ints(written)] if m.chance(0.7) else [x]
    return Case(22, inputs, [m.like(x, target)], options(17, new_shape=written))


def squeeze(m):
    shape = [1 if m.chance() else s for s in shape_of(m)]
    ones = [i for i, s in enumerate(shape) if s == 1]
    dims = [a for a in ones if m.chance()]
    gone = dims or ones
    x = data_of(m, shape)
    return Case(43, [x], [m.like(x, [s for i, s in enumerate(shape) if i not in gone])],
                options(30, squeeze_dims=[axis_value(m, a, len(shape)) for a in dims]))


def expand_dims(m):
    shape = shape_of(m, 0, 5)
    axis = m.integer(0, len(shape))
    x = data_of(m, shape)
    of_axis = m.pick(POSITIONS)
    place = axis_value(m, axis, len(shape) + 1)
    return Case(70, [x, m.scalar(place, of_axis) if m.chance() else m.ints([place], of_axis)],
                [m.like(x, shape[:axis] + [1] + shape[axis:])], options(52))


def transpose(m):
    shape = shape_of(m, 1)
    order = m.shuffled(range(len(shape)))
    x = data_of(m, shape)
    return Case(39, [x, m.ints([axis_value(m, a, len(shape)) if m.chance(0.1) else a
                                for a in order])],
                [m.like(x, [shape[a] for a in order])], options(26))


def concatenation(m):
    shape = shape_of(m, 1)
    axis = m.integer(0, len(shape) - 1)
    first = data_of(m, shape)
    parts, total = [first], shape[axis]
    for _ in range(m.integer(0, 3)):
        size = m.pick([0, 1, 2, 3])
        parts.append(like_it(m, first, shape[:axis] + [size] + shape[axis + 1:],
                             constant=m.chance(0.2)))
        total += size
    if m.chance(0.15):
        parts.append(first)
        total += shape[axis]
    return Case(2, parts, [m.like(first, shape[:axis] + [total] + shape[axis + 1:])],
                options(10, axis=axis_value(m, axis, len(shape)), activation=m.integer(0, 5)
                        if m.chance(0.3) else 0))


def pack(m):
    shape = shape_of(m, 0, 5)
    axis, n = m.integer(0, len(shape)), m.integer(1, 3)
    first = data_of(m, shape)
    parts = [first] + [like_it(m, first, shape, constant=m.chance(0.2)) for _ in range(n - 1)]
    return Case(83, parts, [m.like(first, shape[:axis] + [n] + shape[axis:])],
                options(59, values_count=n, axis=axis_value(m, axis, len(shape) + 1)))


def unpack(m):
    shape = shape_of(m, 1, zeros=False)
    axis = m.integer(0, len(shape) - 1)
    x = data_of(m, shape)
    out = shape[:axis] + shape[axis + 1:]
    return Case(88, [x], [m.like(x, out) for _ in range(shape[axis])],
                options(64, num=shape[axis], axis=axis_value(m, axis, len(shape))))


def split(m):
    parts, each = m.integer(1, 4), m.integer(1, 3)
    shape = shape_of(m, 1, size=40)
    axis = m.integer(0, len(shape) - 1)
    shape[axis] = parts * each
    x = data_of(m, shape)
    return Case(49, [m.scalar(axis_value(m, axis, len(shape))), x],
                [m.like(x, shape[:axis] + [each] + shape[axis + 1:]) for _ in range(parts)],
                options(35, num_splits=parts))


def split_v(m):
    sizes = [m.integer(0 if m.chance(0.2) else 1, 3) for _ in range(m.integer(1, 4))]
    shape = shape_of(m, 1, size=40)
    axis = m.integer(0, len(shape) - 1)
    shape[axis] = sum(sizes)
    x = data_of(m, shape)
    written = list(sizes)
    if m.chance(0.3):
        written[m.integer(0, len(sizes) - 1)] = -1
    return Case(102, [x, numbers(m, written), m.scalar(axis_value(m, axis, len(shape)))],
                [m.like(x, shape[:axis] + [s] + shape[axis + 1:]) for s in sizes],
                options(79, num_splits=len(sizes)))


def pad(m):
    shape = shape_of(m, 1, 5, 40)
    pads = [m.integer(0, 2) for _ in range(2 * len(shape))]
    x = data_of(m, shape)
    if x.dtype == "int16" and x.zero:
        x.zero = [0]  # TFLite Micro pads int16 with 0, and LiteRT with the zero point
    out = [s + pads[2 * i] + pads[2 * i + 1] for i, s in enumerate(shape)]
    margins = m.tensor([len(shape), 2], m.pick(POSITIONS), constant=True, values=pads)
    if m.chance():
        return Case(34, [x, margins], [m.like(x, out)], options(22))
    return Case(60, [x, margins, like_it(m, x, [], constant=m.chance())], [m.like(x, out)],
                options(43))


def mirror_pad(m):
    mode = m.integer(0, 1)
    shape = shape_of(m, 1, 5, 40, zeros=False)
    pads = [m.integer(0, s - 1 if mode == 0 else s) for s in shape for _ in range(2)]
    x = data_of(m, shape)
    return Case(100, [x, m.tensor([len(shape), 2], m.pick(POSITIONS), constant=True, values=pads)],
                [m.like(x, [s + pads[2 * i] + pads[2 * i + 1] for i, s in enumerate(shape)])],
                options(77, mode=mode))


def blocks(code, number):
    def make(m):
        b = m.integer(1, 3)
        n, h, w, c = m.integer(1, 2), m.integer(1, 3), m.integer(1, 3), m.integer(1, 3)
        small, large = [n, h, w, b * b * c], [n, h * b, w * b, c]
        a, z = (large, small) if code == 26 else (small, large)
        x = data_of(m, a)
        return Case(code, [x], [m.like(x, z)], options(number, block_size=b))
    return make


def space_and_batch(m):
    """Shapes of batches and of space, with block sizes and margins."""
    n = m.integer(1, 2)
    sizes = [m.integer(1, 3) for _ in range(n)]
    space, pads = [], []
    for b in sizes:
        size = b * m.integer(1, 3)
        before = m.integer(0, min(2, size - 1))
        pads += [before, m.integer(0, min(2, size - 1 - before))]
        space.append(size)
    batch, depth = m.integer(1, 2), m.integer(1, 3)
    outside = [batch] + [s - pads[2 * i] - pads[2 * i + 1] for i, s in enumerate(space)] + [depth]
    inside = [batch * count(sizes)] + [s // b for s, b in zip(space, sizes)] + [depth]
    return sizes, pads, outside, inside


def space_to_batch(m):
    sizes, pads, outside, inside = space_and_batch(m)
    x = data_of(m, outside)
    return Case(38, [x, m.ints(sizes), m.tensor([len(sizes), 2], "int32", constant=True, values=pads)],
                [m.like(x, inside)], options(25), oracle="litert")


def batch_to_space(m):
    sizes, pads, outside, inside = space_and_batch(m)
    x = data_of(m, inside)
    return Case(37, [x, m.ints(sizes), m.tensor([len(sizes), 2], "int32", constant=True, values=pads)],
                [m.like(x, outside)], options(24))


def tile(m):
    shape = shape_of(m, 0, 5, 30)
    times = [m.integer(0 if m.chance(0.1) else 1, 3) for _ in shape]
    while count(shape) * count(times) > 300:
        times[m.integer(0, len(times) - 1)] = 1
    x = data_of(m, shape)
    return Case(69, [x, numbers(m, times)], [m.like(x, [s * t for s, t in zip(shape, times)])],
                options(51))


def fill(m):
    shape = shape_of(m)
    x = data_of(m, [])
    return Case(94, [numbers(m, shape), x], [m.like(x, shape)], options(68))


def broadcast_to(m):
    out = shape_of(m)
    shape = [1 if m.chance(0.4) else s for s in out][m.integer(0, len(out)):]
    x = data_of(m, shape)
    return Case(130, [x, numbers(m, out)], [m.like(x, out)], options(104))


def reverse(m):
    shape = shape_of(m, 1)
    axes = [a for a in range(len(shape)) if m.chance(0.4)] or [0]
    if m.chance(0.5):  # kernels of TFLite reverse neighbours
        axes = list(range(axes[0], min(len(shape), axes[0] + m.integer(1, 2))))
    x = data_of(m, shape)
    return Case(105, [x, m.ints([axis_value(m, a, len(shape)) for a in axes])],
                [m.like(x, shape)], options(81))


def gather(m):
    shape = shape_of(m, 1, 5, zeros=False)
    axis = m.integer(0, len(shape) - 1)
    batch = m.integer(0, axis) if m.chance(0.4) else 0
    chosen = shape[:batch] + [m.integer(1, 3) for _ in range(m.integer(0, 2))]
    x = data_of(m, shape)
    places = m.tensor(chosen, m.pick(POSITIONS + ["int16", "int32"]), constant=m.chance(0.3), low=0,
                      high=shape[axis] - 1)
    return Case(36, [x, places], [m.like(x, shape[:axis] + chosen[batch:] + shape[axis + 1:])],
                options(23, axis=axis_value(m, axis, len(shape)),
                        batch_dims=batch - len(chosen) if batch < len(chosen) and m.chance(0.2)
                        and batch else batch))


def gather_nd(m):
    shape = shape_of(m, 1, 5, zeros=False)
    depth = m.integer(1, len(shape))
    outer = [m.integer(1, 3) for _ in range(m.integer(0, 2))]
    values = [m.integer(0, shape[k] - 1) for _ in range(count(outer)) for k in range(depth)]
    x = data_of(m, shape)
    places = m.tensor(outer + [depth], m.pick(POSITIONS + ["int16", "int32"]),
                      constant=m.chance(0.3), values=values)
    return Case(107, [x, places], [m.like(x, outer + shape[depth:])], options(83))


def slice_box(m):
    shape = shape_of(m, 1)
    begin = [m.integer(0, max(0, s - 1)) for s in shape]
    size = [m.integer(0 if m.chance(0.1) else min(1, s - b), s - b) for s, b in zip(shape, begin)]
    written = [-1 if b + n == s and m.chance() else n for b, n, s in zip(begin, size, shape)]
    x = data_of(m, shape)
    dtype = m.pick(POSITIONS)
    return Case(65, [x, m.ints(begin, dtype), m.ints(written, dtype)], [m.like(x, size)],
                options(48))


def update_slice(m):
    shape = shape_of(m)
    part = [m.integer(min(1, s), s) for s in shape]
    x = data_of(m, shape)
    starts = m.tensor([len(shape)], m.pick(POSITIONS), constant=m.chance(0.3),
                      values=[m.integer(-2, s + 1) for s in shape])
    return Case(151, [x, like_it(m, x, part, constant=m.chance(0.2)), starts], [m.like(x, shape)],
                options(117))


def select_v2(m):
    out = shape_of(m)
    shapes = []
    for _ in range(3):
        shape = [1 if m.chance(0.2) else s for s in out]
        shapes.append(shape[m.integer(0, len(out)):] if m.chance(0.3) else shape)
    shapes[m.integer(0, 2)] = out
    a = data_of(m, shapes[1])
    b = like_it(m, a, shapes[2], constant=m.chance(0.2))
    return Case(123, [m.tensor(shapes[0], "bool"), a, b], [m.like(a, out)], options(98))


def select(m):
    shape = shape_of(m)
    a = data_of(m, shape)
    condition = m.tensor(m.pick([shape, shape[:1], []]), "bool")
    return Case(64, [condition, a, like_it(m, a, shape)], [m.like(a, shape)], options(47))


def reverse_sequence(m):
    shape = shape_of(m, 2, zeros=False)
    along, batch = m.shuffled(range(len(shape)))[:2]
    x = data_of(m, shape)
    lengths = m.tensor([shape[batch]], m.pick(POSITIONS), low=0, high=shape[along])
    return Case(112, [x, lengths], [m.like(x, shape)],
                options(87, seq_dim=along, batch_dim=batch))


def scatter_nd(m):
    shape = shape_of(m, 1, 4, 60, zeros=False)
    depth, rows = m.integer(1, len(shape)), m.integer(1, 5)
    values = [m.integer(0, shape[k] - 1) for _ in range(rows) for k in range(depth)]
    updates = plain(m, [rows] + shape[depth:], m.pick(TYPES))
    return Case(122, [m.tensor([rows, depth], "int32", values=values), updates, m.ints(shape)],
                [m.result(shape, updates.dtype)], options(97))


def sparse_to_dense(m):
    rank = m.integer(0, 4)
    shape = [m.integer(2, 4) for _ in range(max(1, rank))]
    rows = 1 if rank == 0 else m.integer(1, 3)
    dtype, of_places = m.pick(TYPES), m.pick(POSITIONS)
    values = [m.integer(0, s - 1) for _ in range(rows) for s in shape]
    places_shape = [] if rank == 0 else [rows] if len(shape) == 1 and m.chance() else \
        [rows, len(shape)]
    places = m.tensor(places_shape, of_places, constant=True, values=values)
    v = plain(m, [] if m.chance() else [rows], dtype)
    return Case(68, [places, m.ints(shape, of_places), v, plain(m, [], dtype)],
                [m.result(shape, dtype)], options(50))


def one_hot(m):
    shape = shape_of(m, 0, 4, 60)
    depth = m.integer(1, 5)
    axis = m.integer(-1, len(shape))
    place = axis if axis >= 0 else len(shape)
    dtype = m.pick(TYPES)
    x = m.tensor(shape, m.pick(POSITIONS), low=-1, high=depth)
    return Case(85, [x, m.scalar(depth), plain(m, [], dtype), plain(m, [], dtype)],
                [m.result(shape[:place] + [depth] + shape[place:], dtype)], options(61, axis=axis))


def topk(m):
    shape = shape_of(m, 1, 4, zeros=False)
    k = m.integer(0 if m.chance(0.1) else 1, shape[-1])
    x = data_of(m, shape, low=-5, high=5)
    return Case(48, [x, m.scalar(k, m.pick(["int32", "int16"]))],
                [m.like(x, shape[:-1] + [k]), m.result(shape[:-1] + [k], m.pick(["int32", "int16"]))],
                options(34))


DIAGONAL = ("float32", "int8", "uint8", "int16", "int32", "int64")


def matrix_diag(m):
    x = data_of(m, shape_of(m, 1, 4), m.pick(DIAGONAL))
    return Case(113, [x], [m.like(x, x.shape + x.shape[-1:])], options(88))


def matrix_set_diag(m):
    x = data_of(m, shape_of(m, 2, 5), m.pick(DIAGONAL))
    return Case(115, [x, like_it(m, x, x.shape[:-2] + [min(x.shape[-2:])])],
                [m.like(x, x.shape)], options(90))


def shape_and_rank(m):
    x = data_of(m, shape_of(m))
    if m.chance(0.3):
        return Case(110, [x], [m.result([], "int32")], options(86))
    kind = m.pick([("int32", 2), ("int64", 4)])
    return Case(77, [x], [m.result([len(x.shape)], kind[0])], options(55, out_type=kind[1]))


def number_range(m):
    dtype = m.pick(["float32", "int32", "int64"])
    whole = dtype != "float32"
    step = m.pick([1, 2, -1, 3]) if whole else m.pick([0.1, 0.3, -0.7, 1.0])
    first, n = m.integer(-5, 5), m.integer(0, 9)
    last = first + step * n + (0 if whole or n == 0 else -0.5 * step)
    if whole and n and m.chance():
        last += 1 if step > 1 else 0
        n = -(-(last - first) // step)
    values = [first, last, step] if whole else [float(first), last, step]
    return Case(96, [m.tensor([], dtype, constant=True, values=[v]) for v in values],
                [m.result([n], dtype)], options(73))


def where(m):
    shape = shape_of(m, 0, 5, 60)
    values = [m.pick([0, 0, 1]) for _ in range(count(shape))]
    x = m.tensor(shape, m.pick(TYPES), constant=True, values=values)
    return Case(109, [x], [m.result([sum(values), len(shape)], "int64")], options(85))


def unique(m):
    values = [m.integer(0, 4) for _ in range(m.integer(1, 9))]
    x = m.tensor([len(values)], m.pick(TYPES[:-1]), constant=True, values=values)
    kind = m.pick([("int32", 2), ("int64", 4)])
    return Case(103, [x], [m.result([len(set(values))], x.dtype), m.result([len(values)], kind[0])],
                options(80, idx_out_type=kind[1]))


def segments(code, number):
    def make(m):
        rows, groups = m.integer(1, 7), m.integer(1, 5)
        inner = shape_of(m, 0, 3, 20)
        ids = sorted(m.integer(0, groups - 1) for _ in range(rows))
        if code == 125:
            groups = ids[-1] + 1
        else:
            ids = m.shuffled(ids)
        x = plain(m, [rows] + inner, m.pick(TYPES), -4, 4)
        inputs = [x, m.ints(ids)] + ([m.scalar(groups)] if code != 125 else [])
        return Case(code, inputs, [m.result([groups] + inner, x.dtype)], options(number))
    return make


def embedding_lookup(m):
    shape = shape_of(m, 1, 4, zeros=False)
    table = data_of(m, shape, constant=True)
    ids = m.tensor([m.integer(1, 4)], "int32", low=0, high=shape[0] - 1)
    real = table.dtype == "int8" and table.scale and m.chance()
    y = m.result(ids.shape + shape[1:]) if real else m.like(table, ids.shape + shape[1:])
    if real:
        table.zero = [0]
    return Case(7, [ids, table], [y])


def bucketize(m):
    bounds = sorted(m.integer(-8, 8) * 0.5 for _ in range(m.integer(0, 6)))
    x = plain(m, shape_of(m), m.pick(TYPES[:-1]), -5, 5)
    return Case(147, [x], [m.result(x.shape, "int32")], options(115, boundaries=bounds))


def resize(code, number):
    def make(m):
        shape = [m.integer(1, 2), m.integer(1, 5), m.integer(1, 5), m.integer(1, 3)]
        size = [m.integer(1, 9), m.integer(1, 9)]
        x = data_of(m, shape)
        corners = int(m.chance())
        return Case(code, [x, m.ints(size)], [m.like(x, [shape[0]] + size + [shape[3]])],
                    options(number, align_corners=corners,
                            half_pixel_centers=int(m.chance(0.1 if corners else 0.5))))
    return make


def broadcast_args(m):
    out = shape_of(m, 0, 5)
    pair = [[1 if m.chance(0.3) else s for s in out][m.integer(0, len(out)):] for _ in range(2)]
    pair[m.integer(0, 1)] = out
    dtype = m.pick(POSITIONS)
    return Case(145, [m.ints(pair[0], dtype), m.ints(pair[1], dtype)],
                [m.result([len(out)], dtype)])


FAMILIES = {
    "ANY_RESHAPE": reshape, "ANY_SQUEEZE": squeeze, "ANY_EXPAND_DIMS": expand_dims,
    "ANY_TRANSPOSE": transpose, "ANY_CONCATENATION": concatenation, "ANY_PACK": pack,
    "ANY_UNPACK": unpack, "ANY_SPLIT": split, "ANY_SPLIT_V": split_v, "ANY_PAD": pad,
    "ANY_MIRROR_PAD": mirror_pad, "ANY_SPACE_TO_DEPTH": blocks(26, 19),
    "ANY_DEPTH_TO_SPACE": blocks(5, 94), "ANY_SPACE_TO_BATCH_ND": space_to_batch,
    "ANY_BATCH_TO_SPACE_ND": batch_to_space, "ANY_TILE": tile, "ANY_FILL": fill,
    "ANY_BROADCAST_TO": broadcast_to, "ANY_REVERSE_V2": reverse, "ANY_GATHER": gather,
    "ANY_GATHER_ND": gather_nd, "ANY_SLICE": slice_box, "ANY_DYNAMIC_UPDATE_SLICE": update_slice,
    "ANY_SELECT": select, "ANY_SELECT_V2": select_v2, "ANY_REVERSE_SEQUENCE": reverse_sequence,
    "ANY_SCATTER_ND": scatter_nd, "ANY_SPARSE_TO_DENSE": sparse_to_dense, "ANY_ONE_HOT": one_hot,
    "ANY_TOPK_V2": topk, "ANY_MATRIX_DIAG": matrix_diag, "ANY_MATRIX_SET_DIAG": matrix_set_diag,
    "ANY_SHAPE": shape_and_rank, "ANY_RANGE": number_range, "ANY_WHERE": where,
    "ANY_UNIQUE": unique, "ANY_SEGMENT_SUM": segments(125, 100),
    "ANY_UNSORTED_SEGMENT_PROD": segments(153, 118),
    "ANY_UNSORTED_SEGMENT_MAX": segments(154, 119),
    "ANY_UNSORTED_SEGMENT_SUM": segments(155, 121),
    "ANY_UNSORTED_SEGMENT_MIN": segments(157, 120), "ANY_EMBEDDING_LOOKUP": embedding_lookup,
    "ANY_BUCKETIZE": bucketize, "ANY_RESIZE_BILINEAR": resize(23, 15),
    "ANY_RESIZE_NEAREST_NEIGHBOR": resize(97, 74), "ANY_BROADCAST_ARGS": broadcast_args,
}
