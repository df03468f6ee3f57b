"""Cases of reductions and of operators along an axis."""
from grid.maker import Case, count, options


def axes_of(m, shape):
    chosen = [a for a in range(len(shape)) if m.chance(0.6)] or [m.integer(0, len(shape) - 1)]
    chosen = m.shuffled(chosen)
    return [a - len(shape) if m.chance(0.3) else a for a in chosen]


def kept(shape, axes, keep):
    gone = {a % len(shape) for a in axes}
    if keep:
        return [1 if i in gone else s for i, s in enumerate(shape)]
    return [s for i, s in enumerate(shape) if i not in gone]


def reduction(code, types, same=False, table=27, low=None, high=None):
    def make(m):
        dtype = m.pick(types)
        shape = m.shape(1, 4, 7)
        axes, keep = axes_of(m, shape), int(m.chance())
        out = kept(shape, axes, keep)
        if dtype in ("int8", "int16", "uint8"):
            x = m.quantized(shape, dtype)
            n = count(shape) // max(1, count(out))
            scale = x.scale[0] * m.scale(0.3, 2) * (n ** 0.5 if code == 74 else n ** -0.3)
            y = m.result(out, dtype, scale, m.zero(dtype) if dtype != "int16" else 0)
            if same:
                y = m.like(x, out)
        else:
            x, y = m.tensor(shape, dtype, low=low, high=high), m.result(out, dtype)
        return Case(code, [x, m.ints(axes)], [y], options(table, keep_dims=keep))
    return make


def of_nothing(code):
    def make(m):
        shape = m.shape(1, 3, 4)
        axis = m.integer(0, len(shape) - 1)
        shape[axis] = 0
        out = kept(shape, [axis], False)
        return Case(code, [m.tensor(shape, "float32"), m.ints([axis])], [m.result(out, "float32")],
                    options(27, keep_dims=0))
    return make


def place(code, table):
    def make(m):
        dtype = m.pick(["float32", "int8"])
        shape = m.shape(1, 4, 6)
        axis = m.integer(-len(shape), len(shape) - 1)
        out = kept(shape, [axis], False)
        if dtype == "int8":
            x = m.quantized(shape, dtype, low=-5, high=5)
        else:
            x = m.tensor(shape, dtype, values=[float(m.integer(-4, 4)) for _ in range(count(shape))])
        return Case(code, [x, m.ints([axis]) if m.chance() else m.scalar(axis)],
                    [m.result(out, "int32")], options(table, output_type=2))
    return make


def cumsum(m):
    dtype = m.pick(["float32", "int8", "int32", "int64"])
    shape = m.shape(1, 4, 6)
    axis = m.integer(-len(shape), len(shape) - 1)
    if dtype == "int8":
        x = m.quantized(shape, dtype)
        y = m.result(shape, dtype, x.scale[0] * m.scale(0.8, 4), m.zero(dtype))
    else:
        x, y = m.tensor(shape, dtype), m.result(shape, dtype)
    return Case(128, [x, m.scalar(axis)], [y],
                options(102, exclusive=int(m.chance()), reverse=int(m.chance())))


def l2_norm(m):
    shape = m.shape(2, 4, 8)
    if m.chance(0.3):
        x = m.tensor(shape)
        return Case(11, [x], [m.result(shape)], options(12))
    x = m.quantized(shape, "int8")
    return Case(11, [x], [m.result(shape, "int8", 1 / 128, 0)], options(12))


def softmax(m):
    kind = m.pick(["float32", "int8", "int8 to int16", "int16"])
    shape = m.shape(1, 3, 12)
    beta = m.pick([1.0, 1.0, 0.5, 2.0])
    if kind == "float32":
        return Case(25, [m.tensor(shape)], [m.result(shape)], options(9, beta=beta))
    x = m.quantized(shape, kind.split()[0], m.scale(1e-3, 0.6) if kind != "int16" else
                    m.scale(1e-5, 3e-3))
    y = {"int8": ("int8", 1 / 256, -128), "int8 to int16": ("int16", 1 / 65536, -32768),
         "int16": ("int16", 1 / 32768, 0)}[kind]
    return Case(25, [x], [m.result(shape, *y)], options(9, beta=beta))


def log_softmax(m):
    dtype = m.pick(["float32", "int8", "int8"])
    shape = m.shape(1, 3, 12)
    if dtype == "float32":
        return Case(50, [m.tensor(shape)], [m.result(shape)], options(36))
    x = m.quantized(shape, dtype, m.scale(1e-3, 1))
    return Case(50, [x], [m.result(shape, "int8", 16 / 256, 127)], options(36))


def normalization(m):
    shape = m.shape(4, 4, 6)
    x = m.tensor(shape)
    return Case(13, [x], [m.result(shape)],
                options(13, radius=m.integer(0, 5), bias=m.pick([1.0, 0.5, 9.0]), alpha=m.pick(
                    [1.0, 0.1, 4.0]), beta=m.pick([0.5, 1.0, 0.75])))


def topk(m):
    dtype = m.pick(["float32", "int8", "int32", "int64", "int16", "uint8"])
    shape = m.shape(1, 3, 8)
    k = m.integer(0 if m.chance(0.1) else 1, shape[-1])
    x = m.tensor(shape, dtype, low=-5 if dtype != "uint8" else 0, high=5)
    if dtype in ("int8", "int16", "uint8"):
        x.scale, x.zero = [0.5], [0]
    out = shape[:-1] + [k]
    return Case(48, [x, m.scalar(k)], [m.like(x, out), m.result(out, "int32")], options(34))


def segments(code, table):
    def make(m):
        dtype = m.pick(["float32", "int32"])
        rows = m.integer(1, 7)
        inner = m.shape(1, 2, 3) if m.chance(0.8) else []
        groups = m.integer(1, 5)
        if code == 125:
            ids = [0]
            while len(ids) < rows:
                ids.append(ids[-1] + m.integer(0, 1))
            groups = ids[-1] + 1
        else:
            ids = [m.integer(-1 if m.chance(0.2) else 0, groups - 1) for _ in range(rows)]
        x = m.tensor([rows] + inner, dtype, low=-4, high=4)
        inputs = [x, m.ints(ids)]
        if code != 125:
            inputs.append(m.scalar(groups))
        return Case(code, inputs, [m.result([groups] + inner, dtype)], options(table))
    return make


FAMILIES = {
    "MEAN": reduction(40, ("float32", "int8", "int16")),
    "SUM": reduction(74, ("float32", "int8", "int16")),
    "SUM_INT": reduction(74, ("int32", "int64")),
    "MEAN_UINT8": reduction(40, ("uint8",)),
    "SUM_UINT8": reduction(74, ("uint8",)),
    "REDUCE_MAX": reduction(82, ("float32", "int8"), same=True),
    "REDUCE_MIN": reduction(89, ("float32", "int8"), same=True),
    "REDUCE_MAX_INT": reduction(82, ("int32", "int64", "int16", "uint8"), same=True),
    "REDUCE_MIN_INT": reduction(89, ("int32", "int64", "int16", "uint8"), same=True),
    "REDUCE_MAX_OF_NOTHING": of_nothing(82),
    "REDUCE_MIN_OF_NOTHING": of_nothing(89),
    "REDUCE_PROD": reduction(81, ("float32", "int32", "int64"), low=-3, high=3),
    "REDUCE_ALL": reduction(140, ("bool",)),
    "REDUCE_ANY": reduction(91, ("bool",)),
    "ARG_MAX": place(56, 40),
    "ARG_MIN": place(79, 57),
    "CUMSUM": cumsum,
    "L2_NORMALIZATION": l2_norm,
    "SOFTMAX": softmax,
    "LOG_SOFTMAX": log_softmax,
    "LOCAL_RESPONSE_NORMALIZATION": normalization,
    "TOPK_V2": topk,
    "SEGMENT_SUM": segments(125, 100),
    "UNSORTED_SEGMENT_PROD": segments(153, 118),
    "UNSORTED_SEGMENT_MAX": segments(154, 119),
    "UNSORTED_SEGMENT_SUM": segments(155, 121),
    "UNSORTED_SEGMENT_MIN": segments(157, 120),
}
