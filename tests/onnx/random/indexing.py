"""Operators that take, or put, elements where indices say; signals, boxes and strings."""
import element_types as et
from graph import NotInVersion, count


def indices(g, size, shape, dtype=None, negative=True):
    if size == 0 and count(shape):
        raise NotInVersion("an index of nothing")
    dtype = dtype or g.pick(["int64", "int64", "int32"])
    low = -size if negative and g.opset >= 11 else 0
    return g.fresh(dtype, shape, lambda: g.rng.randint(low, size - 1))


def gather(g, op):
    x = g.any(g.type(op), 1, 4)
    axis = g.axis(x.rank) if g.opset >= 11 else g.rng.randrange(x.rank)
    at = axis % x.rank
    shape = g.shape(0, 2)
    out = x.shape[:at] + shape + x.shape[at + 1:]
    if count(out) > 4000:
        raise NotInVersion(op)
    g.node(op, [x, indices(g, x.shape[at], shape)], [(x.dtype, out)],
           axis=axis if at or g.chance(0.6) else None)


def gather_elements(g, op):
    x = g.any(g.type(op), 1, 4)
    axis = g.axis(x.rank)
    shape = [g.rng.randint(0 if d == 0 else 1, d) for d in x.shape]
    shape[axis] = g.size()
    g.node(op, [x, indices(g, x.shape[axis], shape)], [(x.dtype, shape)],
           axis=axis if axis % x.rank or g.chance(0.6) else None)


def nd_indices(g, shape, lead, depth, batch=0):
    dims = shape[batch:batch + depth]
    if 0 in dims and count(lead):
        raise NotInVersion("an index of nothing")
    data = []
    for _ in range(count(lead)):
        data += [g.rng.randint(-d, d - 1) if d else 0 for d in dims]
    return g.fresh("int64", lead + [depth], None, data)


def gather_nd(g, op):
    x = g.any(g.type(op), 1, 4)
    batch = 0
    if g.opset >= 12 and x.rank > 1 and g.chance(0.3):
        batch = 1
    depth = g.rng.randint(1, x.rank - batch)
    lead = x.shape[:batch] + g.shape(0, 1)
    out = lead + x.shape[batch + depth:]
    if count(out) > 4000:
        raise NotInVersion(op)
    g.node(op, [x, nd_indices(g, x.shape, lead, depth, batch)], [(x.dtype, out)],
           batch_dims=batch if batch or g.chance(0.2) else None)


def scatter_elements(g, op):
    if op == "Scatter" and g.opset > 10:
        raise NotInVersion(op)
    dtype = g.type(op)
    x = g.any(dtype, 1, 3)
    axis = g.axis(x.rank) if g.opset >= 11 else g.rng.randrange(x.rank)
    shape = [g.rng.randint(0 if d == 0 else 1, d) for d in x.shape]
    reduction = None
    if op == "ScatterElements" and g.opset >= 16:
        reduction = g.pick([None, "none", "add", "mul"] + (["min", "max"] if g.opset >= 18 else []))
    if dtype == "bool":
        reduction = None
    if reduction in (None, "none"):
        # Without a reduction no element is written twice.
        rows = list(range(x.shape[axis]))
        shape[axis] = min(shape[axis], len(rows))
        data = []
        at = axis % x.rank
        inner = count(shape[at + 1:])
        for _ in range(count(shape[:at])):
            columns = [g.rng.sample(rows, shape[at]) for _ in range(inner)]
            data += [columns[i][k] for k in range(shape[at]) for i in range(inner)]
        ix = g.fresh("int64", shape, None, data)
    else:
        ix = indices(g, x.shape[axis], shape)
    g.node(op, [x, ix, g.like(dtype, shape)], [(dtype, x.shape)], axis=axis, reduction=reduction)


def scatter_nd(g, op):
    dtype = g.type(op)
    x = g.any(dtype, 1, 3)
    depth = g.rng.randint(1, x.rank)
    reduction = None
    if g.opset >= 16:
        reduction = g.pick([None, "none", "add", "mul"] + (["min", "max"] if g.opset >= 18 else []))
    if dtype == "bool":
        reduction = None
    dims = x.shape[:depth]
    if reduction in (None, "none"):
        places = list(range(count(dims)))
        n = g.rng.randint(0, min(4, len(places)))
        data = []
        for place in g.rng.sample(places, n):
            index = []
            for d in reversed(dims):
                index.insert(0, place % d - (d if g.chance(0.3) else 0))
                place //= d
            data += index
        ix = g.fresh("int64", [n, depth], None, data)
    else:
        n = g.rng.randint(0, 4)
        ix = nd_indices(g, x.shape, [n], depth)
    g.node(op, [x, ix, g.like(dtype, [n] + x.shape[depth:])], [(dtype, x.shape)],
           reduction=reduction)


def window_function(g, op):
    dtype = g.pick(g.types(op, "T2", ("float", "double", "float16", "bfloat16")))
    n = g.rng.randint(1, 9)
    periodic = g.pick([None, 0, 1])
    if n == 1 and periodic == 0:
        n = 2
    g.node(op, [g.ints([n], shape=[])], [(dtype, [n])], periodic=periodic,
           output_datatype=et.NUMBERS[dtype])


def dft(g, op):
    dtype = g.pick(["float", "double"])
    n, k = g.pick([1, 2]), g.pick([2, 3, 4, 5, 8])
    inverse = g.pick([None, 0, 1])
    form = 2 if inverse or g.chance(0.5) else 1
    x = g.fresh(dtype, [n, k, form])
    onesided = 1 if form == 1 and g.chance(0.5) else None
    length = g.pick([None, 3, 4])
    size = length or k
    out = [n, size // 2 + 1 if onesided else size, 2]
    attrs = {"inverse": inverse, "onesided": onesided}
    dft_length = g.ints([length], shape=[], open_chance=0) if length else None
    if g.opset < 20:
        attrs["axis"] = 1
        g.node(op, [x, dft_length], [(dtype, out)], **attrs)
    else:
        axis = g.ints([g.pick([1, -2])], shape=[], open_chance=0)
        g.node(op, [x, dft_length, axis], [(dtype, out)], **attrs)


def stft(g, op):
    dtype = g.pick(["float", "double"])
    n, length, frame, step = 1, g.pick([8, 10]), g.pick([2, 4]), g.pick([1, 2, 3])
    x = g.fresh(dtype, [n, length, 1])
    onesided = g.pick([None, 0, 1])
    frames = (length - frame) // step + 1
    bins = frame if onesided == 0 else frame // 2 + 1
    win = g.fresh(dtype, [frame]) if g.chance(0.5) else None
    g.node(op, [x, g.ints([step], shape=[], open_chance=0), win,
                g.ints([frame], shape=[], open_chance=0)], [(dtype, [n, frames, bins, 2])],
           onesided=onesided)


def mel_weights(g, op):
    n, length = g.pick([2, 4]), g.pick([8, 16])
    data = [("int64", n), ("int64", length), ("int64", 8000), ("float", 0.0), ("float", 4000.0)]
    inputs = [g.fresh(t, [], None, [v], "initializer") for t, v in data]
    g.node(op, inputs, [("float", [length // 2 + 1, n])])


def suppression(g, op):
    batch, boxes, classes = 1, g.pick([1, 3, 5]), g.pick([1, 2])
    data = []
    for _ in range(batch * boxes):
        y, x = g.rng.randint(0, 8) / 4.0, g.rng.randint(0, 8) / 4.0
        data += [y, x, y + 1.0, x + 1.0]
    b = g.fresh("float", [batch, boxes, 4], None, data, "initializer")
    levels = [i / 64.0 for i in range(1, 60)]
    g.rng.shuffle(levels)
    s = g.fresh("float", [batch, classes, boxes], None, levels[:batch * classes * boxes],
                "initializer")
    most = g.ints([g.pick([1, 2, 10])], shape=[], open_chance=0)
    iou = g.fresh("float", [], None, [0.5], "initializer") if g.chance(0.7) else None
    made = g.node(op, [b, s, most, iou], [("int64", [0, 3])],
                  center_point_box=g.pick([None, 0, 1]))
    g.values.remove(made[0])  # how many there are is not followed here
    g.loose += made


def tfidf(g, op):
    n = g.pick([3, 5])
    x = g.fresh("int64", [n], lambda: g.rng.randint(1, 4))
    g.node(op, [x], [("float", [4])], mode=g.pick(["TF", "IDF", "TFIDF"]), min_gram_length=1,
           max_gram_length=2, max_skip_count=g.pick([0, 1]), ngram_counts=[0, 2],
           ngram_indexes=[0, 1, 2, 3], pool_int64s=[1, 2, 1, 2, 3, 4],
           weights=g.pick([None, [1.0, 0.5, 2.0, 1.5]]))


def deform_conv(g, op):
    dtype = g.pick(["float", "double"])
    n, c, m, k = 1, g.pick([1, 2]), g.pick([1, 2]), 2
    size = g.pick([3, 4])
    out = size - k + 1
    offset = g.fresh(dtype, [n, 2 * k * k, out, out], lambda: g.rng.randint(-4, 4) / 8.0)
    bias = g.fresh(dtype, [m]) if g.chance(0.5) else None
    mask = g.fresh(dtype, [n, k * k, out, out]) if g.chance(0.5) else None
    g.node(op, [g.like(dtype, [n, c, size, size]), g.fresh(dtype, [m, c, k, k]), offset, bias, mask],
           [(dtype, [n, m, out, out])], kernel_shape=[k, k])


OPS = {
    "Gather": gather, "GatherElements": gather_elements, "GatherND": gather_nd,
    "Scatter": scatter_elements, "ScatterElements": scatter_elements, "ScatterND": scatter_nd,
    "BlackmanWindow": window_function, "HammingWindow": window_function,
    "HannWindow": window_function, "DFT": dft, "STFT": stft, "MelWeightMatrix": mel_weights,
    "NonMaxSuppression": suppression, "TfIdfVectorizer": tfidf, "DeformConv": deform_conv,
}
