"""Cases that show the last bit of a factor of scales: one result is halfway between two integers, where
float32 and double precision round to different ones."""
from grid.maker import Case, count, float32, options

BYTES = ("int8", "uint8")


def ends(dtype):
    return (-128, 127) if dtype == "int8" else (0, 255) if dtype == "uint8" else (-32768, 32767)


def every(m, dtype, size=256):
    low, high = ends(dtype)
    return list(range(low, high + 1)) if dtype in BYTES else m.elements(dtype, size)


def zero_of(m, dtype):
    return m.zero(dtype) if dtype in BYTES else 0


def halved(m, scale, integer, most):
    """A scale by which scale * integer becomes k + 0.5."""
    return float32(scale * abs(integer) / (m.integer(1, most) + 0.5))


def most_of(dtype):
    return 90 if dtype in BYTES else 9000


def unary(code, table=None, types=("int8", "int16"), negative=False):
    def make(m):
        dtype = m.pick(types)
        values = every(m, dtype)
        x = m.quantized([1, len(values)], dtype, zero=zero_of(m, dtype), values=values)
        slope, made = table(m) if table else (1.0, None)
        far = [v - x.zero[0] for v in values if (v < x.zero[0] if negative else v > x.zero[0])]
        scale = halved(m, x.scale[0] * slope, m.pick(far or [100]), most_of(dtype))
        return Case(code, [x], [m.result(x.shape, dtype, scale, zero_of(m, dtype))], made)
    return make


def slope(m):
    alpha = float32(m.real(0.02, 1.5))
    return alpha, options(75, alpha=alpha)


def pairs(code, table=None, types=("int8", "uint8", "int16"), product=False):
    """Every integer with every other one."""
    def make(m):
        dtype = m.pick(types)
        a, b = [m.quantized(shape, dtype, zero=zero_of(m, dtype), values=every(m, dtype))
                for shape in ([256, 1], [1, 256])]
        scale = max(a.scale[0], b.scale[0]) * m.real(1.1, 3)
        if product:
            p, q = [m.pick([v - t.zero[0] for v in t.values if v != t.zero[0]]) for t in (a, b)]
            scale = halved(m, a.scale[0] * b.scale[0], p * q, most_of(dtype))
        y = m.result([256, 256], dtype, scale, zero_of(m, dtype))
        return Case(code, [a, b], [y], options(table) if table else None)
    return make


def products(code, data_shape, weight_shape, out_shape, table, types=("int8", "int16"), most=1):
    """Sums of one product each: `most` scales of the weights, the first of which is halved."""
    def make(m):
        dtype = m.pick(types)
        weights = "uint8" if dtype == "uint8" else "int8"
        x = m.quantized(data_shape, dtype, zero=zero_of(m, dtype), values=every(m, dtype))
        values = m.elements(weights, count(weight_shape), *((1, 255) if weights == "uint8" else (1, 127)))
        axis = len(weight_shape) - 1 if code == 4 else 0
        scales = m.pick([1, most]) if dtype != "uint8" else 1
        scale = [m.scale() for _ in range(1 if scales == 1 else weight_shape[axis])]
        zero = [m.zero("uint8")] if weights == "uint8" else [0] * len(scale)
        w = m.tensor(weight_shape, weights, scale, zero, True, values, axis=axis)
        w0 = values[0] - zero[0] or 1
        integer = m.pick([v - x.zero[0] for v in x.values if v != x.zero[0]]) * w0
        y = m.result(out_shape, dtype, halved(m, x.scale[0] * scale[0], integer, most_of(dtype)),
                     zero_of(m, dtype))
        return Case(code, [x, w], [y], table)
    return make


def with_bias(make):
    """The same with a bias of zeros, which convolutions need."""
    def made(m):
        case = make(m)
        x, w = case.operator.inputs
        wide = "int64" if x.dtype == "int16" else "int32"
        bias = m.tensor([case.outputs[0].shape[-1]], wide, [x.scale[0] * s for s in w.scale],
                        [0] * len(w.scale), True, [0] * case.outputs[0].shape[-1], axis=0)
        return Case(case.operator.code, [x, w, bias], case.outputs, case.operator.options)
    return made


CONV = options(1, padding=1, stride_w=1, stride_h=1)
DEPTHWISE = options(2, padding=1, stride_w=1, stride_h=1, depth_multiplier=32)

FAMILIES = {
    "HALF_RELU": unary(19, types=("int8", "uint8", "int16")),
    "HALF_RELU_N1_TO_1": unary(20, types=BYTES),
    "HALF_LEAKY_RELU": unary(98, slope, ("int8", "uint8", "int16"), negative=True),
    "HALF_ABS": unary(101),
    "HALF_QUANTIZE": unary(114), "HALF_MUL": pairs(18, 21, product=True),
    "PAIRS_ADD": pairs(0, 11), "PAIRS_SUB": pairs(41, 28), "PAIRS_DIV": pairs(42, 29, BYTES),
    "PAIRS_SQUARED_DIFFERENCE": pairs(99, types=("int8",)),
    "PAIRS_PRELU": pairs(54, types=BYTES, product=True),
    "HALF_FULLY_CONNECTED": products(9, [256, 1], [32, 1], [256, 32], options(8), most=32,
                                     types=("int8", "uint8", "int16")),
    "HALF_CONV_2D": with_bias(products(3, [1, 16, 16, 1], [32, 1, 1, 1], [1, 16, 16, 32], CONV,
                                       ("int8", "uint8", "int16"), 32)),
    "HALF_DEPTHWISE_CONV_2D": with_bias(products(4, [1, 16, 16, 1], [1, 1, 1, 32],
                                                 [1, 16, 16, 32], DEPTHWISE,
                                                 ("int8", "uint8", "int16"), 32)),
    "HALF_BATCH_MATMUL": products(126, [256, 1], [1, 32], [256, 32], options(101), ("int8",)),
}
