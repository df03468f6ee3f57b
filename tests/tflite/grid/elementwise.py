"""Cases of elementwise operators."""
from grid.maker import (NONE, RELU, RELU6, RELU_N1_TO_1, TANH, Case, count, float32, options,
                        packed)

ACTIVATIONS = [NONE, RELU, RELU_N1_TO_1, RELU6]
MICRO_ACTIVATIONS = ACTIVATIONS * 2 + [TANH]  # TFLite Micro ignores TANH


def every_integer(m, dtype):
    if dtype in ("int8", "uint8"):
        low = -128 if dtype == "int8" else 0
        return list(range(low, low + 256))
    return [-32768, -32767, -1, 0, 1, 32766, 32767] + m.elements("int16", 505)


def unary(code, table=None, types=("int8", "int16", "float32"), out=None, low=-8.0, high=8.0,
          zeros=True, in_scale=(1e-3, 0.5)):
    """`out` gives scale and zero point of the result from the input tensor."""
    def make(m):
        dtype = m.pick(types)
        if dtype not in ("int8", "uint8", "int16"):
            x = m.tensor(m.shape(), dtype, low=low if dtype == "float32" else None,
                         high=high if dtype == "float32" else None)
            return Case(code, [x], [m.result(x.shape, dtype)], table(m) if table else None)
        values = every_integer(m, dtype)
        x = m.quantized([1, len(values)], dtype, values=values, scale=m.scale(*in_scale),
                        zero=None if zeros else 0)
        if out is not None:
            y = m.result(x.shape, dtype, *out(m, x))
        elif m.chance(0.2):
            y = m.like(x, x.shape)
        else:
            zero = m.zero(dtype) if dtype != "int16" and zeros else 0
            y = m.result(x.shape, dtype, x.scale[0] * m.scale(0.2, 4), zero)
        return Case(code, [x], [y], table(m) if table else None)
    return make


def leaky_table(m):
    return options(75, alpha=m.pick([0.01, 0.1, 0.3, -0.2, 1.5, m.real(-1, 1)]))


def negative_slope(m):
    return options(75, alpha=m.pick([-0.5, -0.25, -1.5, -0.375, m.real(-2, 0)]))


def logistic_out(m, x):
    return (1 / 256, -128) if x.dtype == "int8" else (1 / 32768, 0)


def tanh_out(m, x):
    return (1 / 128, 0) if x.dtype == "int8" else (1 / 32768, 0)


def rsqrt(m):
    zero = m.integer(-128, 100)
    x = m.quantized([1, 127 - zero + 1], "int8", values=list(range(zero, 128)), zero=zero)
    y = m.result(x.shape, "int8", m.scale(0.005, 0.5), m.zero("int8"))
    return Case(76, [x], [y])


def hard_swish(m):
    if m.chance(0.3):
        x = m.tensor(m.shape(), "float32", low=-6.0, high=6.0)
        return Case(117, [x], [m.result(x.shape)])
    x = m.quantized([1, 256], "int8", values=every_integer(m, "int8"), scale=m.scale(0.005, 0.2))
    return Case(117, [x], [m.result(x.shape, "int8", x.scale[0] * m.scale(0.1, 2),
                                    m.zero("int8"))])


def fixed_log2(m, x):
    return 1 / 32768, 0


def curve16(code):
    """LOGISTIC and TANH of int16 with scales of any kind."""
    def make(m):
        scale = m.pick([2.0**-12, 2.0**-11, 2.0**-12 * m.pick([1, 2, 3, 4]), m.scale(1e-5, 1e-2)])
        x = m.quantized([1, 512], "int16", scale=scale, values=every_integer(m, "int16"))
        return Case(code, [x], [m.result(x.shape, "int16", 1 / 32768, 0)])
    return make


def quantize_halves(m):
    """Numbers halfway between two results, and the float32 numbers next to them."""
    target = m.pick(["int8", "int16", "uint8"])
    scale = 2.0 ** -m.integer(1, 6)
    halves = [m.integer(-300, 300) * scale / 2 for _ in range(200)]
    x = m.tensor([2, 100], "float32")
    x.feed = packed("float32", [float32(v * (1 + m.integer(-1, 1) * 2.0**-23)) for v in halves])
    return Case(114, [x], [m.result(x.shape, target, scale, 0 if target == "int16" else 100)])


def quantize(m):
    pairs = [("float32", "int8"), ("float32", "int16"), ("float32", "uint8"), ("int8", "int8"),
             ("int8", "int16"), ("int8", "uint8"), ("int8", "int32"), ("uint8", "int8"),
             ("int16", "int8"), ("int16", "int16"), ("int16", "int32"), ("int32", "int8"),
             ("int32", "int16")]
    source, target = m.pick(pairs)
    zero = m.zero(target) if target in ("int8", "uint8") else 0
    if source == "float32":
        x = m.tensor([2, 100], "float32", low=-20.0, high=20.0)
        scale = m.scale(0.01, 1) if target != "int16" else m.scale(1e-4, 1e-2)
        return Case(114, [x], [m.result(x.shape, target, scale, zero)])
    if source == "int32":
        x = m.quantized([200], source, low=-100000, high=100000, zero=0)
        return Case(114, [x], [m.result(x.shape, target, x.scale[0] * m.scale(1, 2000), zero)])
    values = every_integer(m, source)
    x = m.quantized([len(values)], source, values=values)
    scale = x.scale[0] if m.chance(0.15) else x.scale[0] * m.scale(0.3, 3)
    if target == "int16" and source != "int16":
        scale = x.scale[0] * m.scale(1 / 256, 1)
    if target == "int8" and source == "int16":
        scale = x.scale[0] * m.scale(1, 300)
    return Case(114, [x], [m.result(x.shape, target, scale, zero)])


def floor_div_of_multiples(m):
    """Quotients that are integers, and the float32 numbers next to them."""
    b = [float32(m.real(0.1, 10)) for _ in range(100)]
    a = [float32(y * m.integer(-60, 60) * (1 + m.integer(-1, 1) * 2.0**-23)) for y in b]
    x, y = m.tensor([100], values=a), m.tensor([100], values=b)
    return Case(90, [x, y], [m.result([100])], options(65))


def dequantize(m):
    dtype = m.pick(["int8", "int16", "uint8"])
    values = every_integer(m, dtype)
    x = m.quantized([len(values)], dtype, values=values)
    return Case(6, [x], [m.result(x.shape)])


def broadcast_pair(m, size=200):
    """Two shapes that broadcast, and the shape of the result."""
    shape = m.shape(1, 4, 5, size)
    a, b = list(shape), list(shape)
    kind = m.integer(0, 4)
    if kind == 1:
        b = []
    if kind == 2:
        b = b[m.integer(0, len(b)):]
    if kind >= 3:
        a = [1 if m.chance(0.25) else s for s in a]
        b = [1 if m.chance(0.25) else s for s in b]
    out = [max(s, t) for s, t in zip(a, [1] * (len(a) - len(b)) + b)]
    return (a, b, out) if m.chance() else (b, a, out)


def operand(m, shape, dtype, **more):
    constant = m.chance(0.15)
    if dtype in ("int8", "uint8", "int16"):
        return m.quantized(shape, dtype, constant=constant, **more)
    return m.tensor(shape, dtype, constant=constant, low=more.get("low"), high=more.get("high"))


def one_fed(m, a, b):
    """At least one operand is an input."""
    if a.data is not None and b.data is not None:
        a.data, a.feed = None, a.data
    return [a, b]


def arithmetic(code, table, kind, types=("int8", "int16", "int32", "float32"), acts=True):
    def make(m):
        dtype = m.pick(types)
        sa, sb, out = broadcast_pair(m)
        if code in (99, 42) and dtype == "int16":
            sb = out
        a, b = operand(m, sa, dtype), operand(m, sb, dtype)
        act = m.pick(ACTIVATIONS if dtype == "uint8" else MICRO_ACTIVATIONS) if acts else NONE
        if dtype in ("int8", "int16", "uint8"):
            ra, rb = a.scale[0], b.scale[0]
            most = 256 if dtype != "int16" else 65536
            scale = {"sum": max(ra, rb) * m.scale(0.6, 3), "product": ra * rb * most / 4,
                     "square": max(ra, rb)**2 * most * m.scale(0.1, 1)}[kind]
            if kind == "product":
                scale *= m.scale(0.1, 2)
            zero = m.zero(dtype) if dtype != "int16" else 0
            y = m.result(out, dtype, scale, zero)
            if kind == "sum" and m.chance(0.1) and ra == rb:
                y.scale = [ra]
        else:
            y = m.result(out, dtype)
        more = {"activation": act} if acts else {}
        return Case(code, one_fed(m, a, b), [y], options(table, **more))
    return make


def divide(m):
    dtype = m.pick(["float32", "int32", "int8", "int8"])
    sa, sb, out = broadcast_pair(m)
    act = m.pick(ACTIVATIONS) if dtype != "int32" else NONE
    a = operand(m, sa, dtype)
    if dtype == "int8":
        b = m.quantized(sb, dtype, zero=m.pick([-128, 127]))
        b.values = [v if v != b.zero[0] else v + (1 if v < 0 else -1) for v in b.values]
        b.feed = packed("int8", b.values)
        # TFLM's shift of quotients that are far less than a unit of the result is undefined.
        y = m.result(out, dtype, a.scale[0] / b.scale[0] * m.scale(0.02, 0.06), m.zero(dtype))
        near = a.zero[0] + (20 if a.zero[0] < 0 else -20)
        a.values = [v if abs(v - a.zero[0]) >= 16 else near for v in a.values]
        a.feed = packed("int8", a.values)
    else:
        b = m.tensor(sb, dtype, low=1, high=50)
        y = m.result(out, dtype)
    a.data, a.feed = None, a.feed or a.data
    return Case(42, [a, b], [y], options(29, activation=act))


def atan2(m):
    shape = m.shape()
    return Case(156, [m.tensor(shape), m.tensor(shape)], [m.result(shape)], options(122))


def direct(code, table, types, out_type=None, low=None, high=None, same_scale=True):
    """Operators on integers as they are, or on floats."""
    def make(m):
        dtype = m.pick(types)
        sa, sb, out = broadcast_pair(m)
        if dtype in ("int8", "uint8", "int16") and same_scale:
            a = m.quantized(sa, dtype)
            b = m.quantized(sb, dtype, scale=a.scale[0], zero=a.zero[0])
            y = m.like(a, out)
        else:
            a = m.tensor(sa, dtype, low=low, high=high)
            b = m.tensor(sb, dtype, low=low, high=high)
            y = m.result(out, dtype)
        if out_type:
            y = m.result(out, out_type)
        return Case(code, [a, b], [y], options(table) if table else None)
    return make


def comparison(code, table, types):
    def make(m):
        dtype = m.pick(types)
        sa, sb, out = broadcast_pair(m)
        if dtype == "int8":
            a, b = m.quantized(sa, dtype), m.quantized(sb, dtype)
            if m.chance():
                b.scale, b.zero = a.scale, a.zero
        elif dtype == "bool":
            a, b = m.tensor(sa, dtype), m.tensor(sb, dtype)
        elif dtype == "float32":
            values = [-1.5, 0.0, 0.25, 3.0]
            a = m.tensor(sa, dtype, values=[m.pick(values) for _ in range(count(sa))])
            b = m.tensor(sb, dtype, values=[m.pick(values) for _ in range(count(sb))])
        else:
            a, b = m.tensor(sa, dtype, low=-3, high=3), m.tensor(sb, dtype, low=-3, high=3)
        return Case(code, [a, b], [m.result(out, "bool")], options(table))
    return make


def add_n(m):
    shape = m.shape()
    n = m.integer(2, 4)
    if m.chance(0.3):
        xs = [m.tensor(shape) for _ in range(n)]
        return Case(106, xs, [m.result(shape)], options(82))
    x = m.quantized(shape, "int8")
    xs = [x] + [m.quantized(shape, "int8", x.scale[0], x.zero[0]) for _ in range(n - 1)]
    y = m.result(shape, "int8", x.scale[0] * m.scale(0.7, 4), m.zero("int8"))
    return Case(106, xs, [y], options(82))


def prelu(m):
    dtype = m.pick(["float32", "int8", "int16", "uint8"])
    shape = [m.integer(1, 2), m.integer(1, 4), m.integer(1, 4), m.integer(1, 5)]
    slope = m.pick([shape[3:], [1, 1] + shape[3:], shape[1:], []])
    if dtype == "float32":
        a = m.tensor(slope, dtype, constant=True, low=-1.0, high=1.0)
        x = m.tensor(shape, dtype)
        return Case(54, [x, a], [m.result(shape)])
    x = m.quantized(shape, dtype)
    if dtype == "int16":
        a = m.quantized(slope, "int8", constant=True, zero=0)
    else:
        a = m.quantized(slope, dtype, constant=True)
    y = m.result(shape, dtype, x.scale[0] * m.scale(0.3, 3), m.zero(dtype) if dtype != "int16" else 0)
    return Case(54, [x, a], [y])


def cast(m):
    kinds = ["float32", "int8", "int16", "int32", "uint32", "bool"]
    numbers = {"float32": 0, "int32": 2, "bool": 6, "int16": 7, "int8": 9, "uint32": 15}
    source, target = m.pick(kinds), m.pick(kinds)
    if target == "uint32":
        target = "int32"
    low, high = (0, 100) if source == "uint32" else (-120, 120)
    x = m.tensor(m.shape(), source, low=low, high=high)
    return Case(53, [x], [m.result(x.shape, target)],
                options(37, in_data_type=numbers[source], out_data_type=numbers[target]))


def relu_n1(code):
    def make(m):
        dtype = m.pick(["float32", "int8"])
        x = m.quantized([256], dtype, values=every_integer(m, "int8")) if dtype == "int8" else \
            m.tensor(m.shape(), low=-2.0, high=2.0)
        return Case(code, [x], [m.like(x, x.shape)])
    return make


def relu6_like(m, x):
    return x.scale[0], x.zero[0]


def leaky_zero(m):
    return unary(98, leaky_table)(m)


FLOATS = ("float32",)
FAMILIES = {
    "ADD": arithmetic(0, 11, "sum"),
    "SUB": arithmetic(41, 28, "sum"),
    "MUL": arithmetic(18, 21, "product"),
    "SQUARED_DIFFERENCE": arithmetic(99, 76, "square", acts=False),
    "ADD_UINT8": arithmetic(0, 11, "sum", ("uint8",)),
    "SUB_UINT8": arithmetic(41, 28, "sum", ("uint8",)),
    "MUL_UINT8": arithmetic(18, 21, "product", ("uint8",)),
    "DIV": divide,
    "ADD_N": add_n,
    "PRELU": prelu,
    "RELU": unary(19),
    "RELU6": unary(21, out=relu6_like),
    "RELU_N1_TO_1": relu_n1(20),
    "RELU_0_TO_1": relu_n1(152),
    "LEAKY_RELU": leaky_zero,
    # Results of the same scale, so that halves are rounded.
    "LEAKY_RELU_NEGATIVE": unary(98, negative_slope, out=relu6_like),
    "ABS": unary(101, lambda m: options(78)),
    "LOGISTIC": unary(14, types=("int8", "float32"), out=logistic_out),
    "TANH": unary(28, types=("int8", "float32"), out=tanh_out),
    "LOGISTIC_INT16": curve16(14),
    "TANH_INT16": curve16(28),
    "ELU": unary(111, types=("int8", "float32")),
    "HARD_SWISH": hard_swish,
    "RSQRT": rsqrt,
    "RSQRT_FLOAT": unary(76, types=FLOATS, low=0.01),
    "EXP": unary(47, lambda m: options(33), types=("float32",)),
    "LOG": unary(73, types=FLOATS, low=0.01),
    "SQRT": unary(75, types=FLOATS, low=0.0),
    "SQUARE": unary(92, lambda m: options(66), types=FLOATS),
    "NEG": unary(59, lambda m: options(42), types=FLOATS),
    "SIN": unary(66, types=FLOATS),
    "COS": unary(108, types=FLOATS),
    "FLOOR": unary(8, types=FLOATS),
    "CEIL": unary(104, types=FLOATS),
    "ROUND": unary(116, types=FLOATS, low=-3.0, high=3.0),
    "LOGICAL_NOT": unary(87, lambda m: options(63), types=("bool",)),
    "GELU": unary(150, lambda m: options(116, approximate=int(m.chance())), types=FLOATS),
    "SIGN": unary(158, lambda m: options(123), types=("float32", "int32")),
    "QUANTIZE": quantize,
    "QUANTIZE_HALVES": quantize_halves,
    "DEQUANTIZE": dequantize,
    "CAST": cast,
    "MAXIMUM": direct(55, 39, ("float32", "int8", "int16", "int32", "int64")),
    "MINIMUM": direct(57, 39, ("float32", "int8", "int16", "int32", "int64")),
    "LOGICAL_AND": direct(86, 62, ("bool",)),
    "LOGICAL_OR": direct(84, 60, ("bool",)),
    "FLOOR_DIV": direct(90, 65, ("float32",), low=-30, high=30),
    "FLOOR_MOD": direct(95, 72, ("float32",), low=-30, high=30),
    "FLOOR_DIV_MULTIPLES": floor_div_of_multiples,
    "FLOOR_DIV_INT": direct(90, 65, ("int32", "int16", "int8"), low=1, high=30, same_scale=False),
    "FLOOR_MOD_INT": direct(95, 72, ("int32", "int64"), low=1, high=30),
    "POW": direct(78, 56, ("float32", "int32"), low=0, high=4),
    "ATAN2": atan2,
    "BITWISE_XOR": direct(160, 125, ("int8", "int16", "int32", "uint32"), same_scale=False),
    "RIGHT_SHIFT": direct(161, 126, ("int8", "int16", "int32"), low=0, high=7, same_scale=False),
    "EQUAL": comparison(71, 53, ("float32", "int8", "int32", "int64", "bool")),
    "NOT_EQUAL": comparison(72, 54, ("float32", "int8", "int32", "int64", "bool")),
    "LESS": comparison(58, 41, ("float32", "int8", "int32", "int64")),
    "LESS_EQUAL": comparison(63, 46, ("float32", "int8", "int32", "int64")),
    "GREATER": comparison(61, 44, ("float32", "int8", "int32", "int64")),
    "GREATER_EQUAL": comparison(62, 45, ("float32", "int8", "int32", "int64")),
}
