"""Cases of types that TFLite Micro lacks and LiteRT has: uint8, tables of int8, hybrid products; and
of sizes 0 and 1."""
from grid.elementwise import (ACTIVATIONS, broadcast_pair, direct, every_integer, leaky_table,
                              unary)
from grid.maker import Case, options, packed


def fixed_curve(code, scale, zero, dtype="uint8"):
    def make(m):
        x = m.quantized([1, 256], dtype, values=every_integer(m, dtype), scale=m.scale(1e-3, 0.3))
        return Case(code, [x], [m.result(x.shape, dtype, scale, zero)])
    return make


def table(code, number, low, high, dtype="int8"):
    """A function of int8 whose argument stays in a range."""
    def make(m):
        scale = m.scale(high / 2000, high / 100)
        zero = -128 if low >= 0 else m.zero(dtype)
        x = m.quantized([1, 256], dtype, values=every_integer(m, dtype), scale=scale, zero=zero)
        y = m.result(x.shape, dtype, m.scale(0.01, 0.2), m.zero(dtype))
        return Case(code, [x], [y], number(m) if number else None)
    return make


def softmax_uint8(m):
    shape = m.shape(1, 3, 12)
    x = m.quantized(shape, "uint8", m.scale(1e-3, 0.6))
    return Case(25, [x], [m.result(shape, "uint8", 1 / 256, 0)],
                options(9, beta=m.pick([1.0, 0.5, 2.0])))


def log_softmax_uint8(m):
    shape = m.shape(1, 3, 12)
    x = m.quantized(shape, "uint8", m.scale(1e-3, 1))
    return Case(50, [x], [m.result(shape, "uint8", 16 / 256, 255)], options(36))


def l2_norm_uint8(m):
    shape = m.shape(2, 4, 8)
    x = m.quantized(shape, "uint8")
    return Case(11, [x], [m.result(shape, "uint8", 1 / 128, 128)], options(12))


def comparison_uint8(m):
    sa, sb, out = broadcast_pair(m)
    code, number = m.pick([(71, 53), (72, 54), (58, 41), (63, 46), (61, 44), (62, 45)])
    a, b = m.quantized(sa, "uint8"), m.quantized(sb, "uint8")
    return Case(code, [a, b], [m.result(out, "bool")], options(number))


def divide_uint8(m):
    sa, sb, out = broadcast_pair(m)
    a = m.quantized(sa, "uint8", zero=0, low=16, high=255)
    b = m.quantized(sb, "uint8", zero=m.pick([0, 255]), low=1, high=254)
    y = m.result(out, "uint8", a.scale[0] / b.scale[0] * m.scale(0.02, 0.06), m.zero("uint8"))
    return Case(42, [a, b], [y], options(29, activation=m.pick(ACTIVATIONS)))


def pad_uint8(m):
    shape = m.shape(1, 4, 4, 60)
    pads = [m.integer(0, 2) for _ in range(2 * len(shape))]
    x = m.quantized(shape, "uint8")
    out = [s + pads[2 * i] + pads[2 * i + 1] for i, s in enumerate(shape)]
    return Case(34, [x, m.tensor([len(shape), 2], "int32", constant=True, values=pads)],
                [m.like(x, out)], options(22))


def square_equal(m):
    """SQUARED_DIFFERENCE of int8 with equal scales."""
    shape = m.shape()
    a = m.quantized(shape, "int8")
    b = m.quantized(shape, "int8", a.scale[0], a.zero[0])
    y = m.result(shape, "int8", a.scale[0] ** 2 * m.scale(2, 100), m.zero("int8"))
    return Case(99, [a, b], [y], options(76))


def hybrid_fc(m):
    inner, outer = m.integer(1, 30), m.integer(1, 6)
    x = m.tensor([m.integer(1, 4), inner])
    n = m.pick([1, outer])
    w = m.tensor([outer, inner], "int8", [m.scale(1e-3, 0.1) for _ in range(n)], [0] * n,
                 constant=True, axis=0, low=-127, high=127)
    b = [m.tensor([outer], constant=True)] if m.chance(0.7) else []
    return Case(9, [x, w] + b, [m.result([x.shape[0], outer])],
                options(8, activation=m.pick(ACTIVATIONS)))


def hybrid_fc_halves(m):
    """Rows that are quantized with scale 1, and have elements halfway between two integers."""
    case = hybrid_fc(m)
    rows, inner = case.feeds[0].shape
    elements = [[127.0] + [m.integer(-254, 254) / 2 for _ in range(inner - 1)]
                for _ in range(rows)]
    case.feeds[0].feed = packed("float32", sum(elements, []))
    return case


def hybrid_conv(m):
    h, w, channels, outer = m.integer(3, 6), m.integer(3, 6), m.integer(1, 3), m.integer(1, 3)
    k = m.integer(1, 3)
    x = m.tensor([1, h, w, channels])
    weights = m.tensor([outer, k, k, channels], "int8", m.scale(1e-3, 0.1), 0, constant=True,
                       low=-127, high=127)
    b = m.tensor([outer], constant=True)
    return Case(3, [x, weights, b], [m.result([1, h - k + 1, w - k + 1, outer])],
                options(1, padding=1, stride_h=1, stride_w=1))


def edge(m):
    """Sizes of 0 and 1, and scalars."""
    kind = m.integer(0, 5)
    if kind == 0:
        a = m.tensor([0, 3])
        return Case(0, [a, m.tensor([1, 3])], [m.result([0, 3])], options(11))
    if kind == 1:
        a = m.tensor([])
        return Case(18, [a, m.tensor([])], [m.result([])], options(21))
    if kind == 2:
        a, b = m.tensor([2, 0]), m.tensor([2, 3])
        return Case(2, [a, b], [m.result([2, 3])], options(10, axis=1))
    if kind == 3:
        x = m.quantized([1], "int8")
        return Case(19, [x], [m.like(x, [1])])
    if kind == 4:
        x = m.tensor([1, 1, 1, 1])
        w = m.tensor([1, 1, 1, 1], constant=True)
        return Case(3, [x, w], [m.result([1, 1, 1, 1])],
                    options(1, stride_h=1, stride_w=1))
    x = m.tensor([2, 1, 3])
    return Case(74, [x, m.ints([], "int32")], [m.result([2, 1, 3])], options(27))


def negative(m):
    x = m.tensor(m.shape(), m.pick(["int32", "int64"]))
    return Case(59, [x], [m.result(x.shape, x.dtype)], options(42))


def absolute(m):
    x = m.tensor(m.shape(), "int32")
    return Case(101, [x], [m.result(x.shape, x.dtype)], options(78))


def same(m, x):
    return x.scale[0], x.zero[0]


def gelu_options(m):
    return options(116, approximate=int(m.chance()))


UINT8 = ("uint8",)
FAMILIES = {
    "LOGISTIC_UINT8": fixed_curve(14, 1 / 256, 0), "TANH_UINT8": fixed_curve(28, 1 / 128, 128),
    "SOFTMAX_UINT8": softmax_uint8, "LOG_SOFTMAX_UINT8": log_softmax_uint8,
    "L2_NORMALIZATION_UINT8": l2_norm_uint8, "RELU_UINT8": unary(19, types=UINT8),
    "RELU6_UINT8": unary(21, types=UINT8, out=same),
    "RELU_N1_TO_1_UINT8": unary(20, types=UINT8, out=same),
    "LEAKY_RELU_UINT8": unary(98, leaky_table, types=UINT8),
    "HARD_SWISH_UINT8": fixed_curve(117, 0.1, 30), "ELU_UINT8": unary(111, types=UINT8),
    "MAXIMUM_UINT8": direct(55, 39, UINT8), "MINIMUM_UINT8": direct(57, 39, UINT8),
    "COMPARISONS_UINT8": comparison_uint8, "DIV_UINT8": divide_uint8, "PAD_UINT8": pad_uint8,
    "SQUARED_DIFFERENCE_EQUAL": square_equal,
    "EXP_INT8": table(47, lambda m: options(33), -1, 4), "LOG_INT8": table(73, None, 0, 4),
    "SQRT_INT8": table(75, None, 0, 9), "GELU_INT8": table(150, gelu_options, -1, 4),
    "GELU_UINT8": table(150, gelu_options, -1, 4, "uint8"),
    "FULLY_CONNECTED_HYBRID": hybrid_fc,
    "FULLY_CONNECTED_HYBRID_HALVES": hybrid_fc_halves, "CONV_2D_HYBRID": hybrid_conv, "EDGES": edge,
    "NEG_INT": negative, "ABS_INT": absolute,
}
