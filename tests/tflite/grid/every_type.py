"""Cases of elementwise operators and reductions with every type that a tensor may have, ranks 0 to 6,
sizes 0 and 1, broadcasts both ways and operands that are constants."""
from grid.maker import Case, count, options
from grid.reductions import kept

TYPES = ["float32", "float16", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32",
         "int64", "uint64", "bool"]
QUANTIZED = ("int8", "uint8", "int16")
TYPE_NUMBERS = {"float32": 0, "float16": 1, "int32": 2, "uint8": 3, "int64": 4, "bool": 6, "int16": 7,
                "int8": 9, "float64": 10, "uint64": 12, "uint32": 15, "uint16": 16}
# Scale and zero point of results that TFLite fixes.
FIXED = {"LOGISTIC": {"int8": (1 / 256, -128), "uint8": (1 / 256, 0), "int16": (1 / 32768, 0)},
         "TANH": {"int8": (1 / 128, 0), "uint8": (1 / 128, 128), "int16": (1 / 32768, 0)},
         "SOFTMAX": {"int8": (1 / 256, -128), "uint8": (1 / 256, 0), "int16": (1 / 32768, 0)},
         "LOG_SOFTMAX": {"int8": (16 / 256, 127), "uint8": (16 / 256, 255)},
         "L2_NORMALIZATION": {"int8": (1 / 128, 0), "uint8": (1 / 128, 128)}}


def shape_of(m, low=0, high=6, size=150, zeros=True):
    """Mostly of small sizes; sometimes with a size of 0."""
    while True:
        shape = [m.pick([1, 2, 3, 4, m.integer(1, 7)]) for _ in range(m.integer(low, high))]
        if zeros and shape and m.chance(0.05):
            shape[m.integer(0, len(shape) - 1)] = 0
        if count(shape) <= size:
            return shape


def scaled(m, dtype, always=False):
    """Whether a tensor of the type has a scale; arithmetic of TFLite needs one."""
    return dtype in QUANTIZED and (always or m.chance(0.85))


def value_range(dtype, low, high):
    if dtype in ("uint8", "uint16", "uint32", "uint64"):
        return max(0, low), high
    return low, high


def plain(m, shape, dtype, low=-9, high=9, **more):
    low, high = value_range(dtype, low, high)
    return m.tensor(shape, dtype, low=low, high=high, **more)


def any_tensor(m, shape, dtype, quantized, low=-9, high=9, **more):
    """With a scale and any integers, or with numbers of a range."""
    if not quantized:
        return plain(m, shape, dtype, low, high, **more)
    zero = m.pick([0, 0, 0, m.integer(-50, 50)]) if dtype == "int16" else m.zero(dtype)
    scale = m.scale() if dtype != "int16" else m.scale(1e-5, 1e-2)
    return m.quantized(shape, dtype, scale, zero, **more)


def result_scale(m, scale, dtype):
    zero = m.pick([0, 0, 0, m.integer(-50, 50)]) if dtype == "int16" else m.zero(dtype)
    return scale, zero


def unary(name, code, table=None, low=-9, high=9, raw=False, rank=0):
    """`raw` results have the scale of the operand, if it has one."""
    def make(m):
        dtype = m.pick(TYPES)
        x = any_tensor(m, shape_of(m, rank), dtype, scaled(m, dtype, not raw), low, high)
        if x.scale is None:
            y = m.result(x.shape, dtype)
        elif dtype in FIXED.get(name, {}):
            y = m.result(x.shape, dtype, *FIXED[name][dtype])
        elif raw or m.chance(0.2):
            y = m.like(x, x.shape)
        else:
            y = m.result(x.shape, dtype, *result_scale(m, x.scale[0] * m.scale(0.2, 4), dtype))
        return Case(code, [x], [y], table(m) if table else None)
    return make


def broadcast_shapes(m):
    """Two shapes and that of their result; ranks and sizes differ on either side."""
    out = shape_of(m)
    pair = []
    for _ in range(2):
        shape = [1 if m.chance(0.2) else s for s in out]
        pair.append(shape[m.integer(0, len(shape)):] if m.chance(0.3) else shape)
    if m.chance(0.4):
        pair = [out, out]
    else:
        pair[m.integer(0, 1)] = out
    return pair[0], pair[1], out


def binary(code, table, low=-9, high=9, act=False, out_type=None, same_scale=False, product=False,
           divisor=(None, None), raw=False, types=TYPES, broadcast=True):
    def make(m):
        dtype = m.pick(types)
        sa, sb, out = broadcast_shapes(m) if broadcast else (shape_of(m),) * 3
        quantized = not raw and scaled(m, dtype, not same_scale)
        fixed = m.integer(0, 3)  # one operand may be a constant
        a = any_tensor(m, sa, dtype, quantized, low, high, constant=fixed == 0)
        if quantized and same_scale:
            b = m.quantized(sb, dtype, a.scale[0], a.zero[0], constant=fixed == 1)
        else:
            b = any_tensor(m, sb, dtype, quantized, low if divisor[0] is None else divisor[0],
                           high if divisor[1] is None else divisor[1], constant=fixed == 1)
        if sa == sb and fixed > 1 and m.chance(0.1):
            b = a
        if not quantized:
            y = m.result(out, dtype)
        elif same_scale:
            y = m.like(a, out)
        else:
            scale = a.scale[0] * b.scale[0] * 40 if product else max(a.scale[0], b.scale[0])
            y = m.result(out, dtype, *result_scale(m, scale * m.scale(0.7, 4), dtype))
        more = {"activation": m.integer(0, 5)} if act else {}
        # TFLite Micro compares int16 by factors that it does not set.
        oracle = "litert" if code == 61 and dtype == "int16" else None
        return Case(code, [a, b], [m.result(out, out_type) if out_type else y],
                    options(table, **more), oracle)
    return make


def reduction(code, table=27, raw=False, low=-9, high=9, types=TYPES):
    """`raw` results have the scale of the data."""
    def make(m):
        dtype = m.pick(types)
        shape = shape_of(m)
        axes = [a for a in range(len(shape)) if m.chance(0.5)]
        axes = [a - len(shape) if m.chance(0.3) else a for a in m.shuffled(axes)]
        if axes and m.chance(0.1):
            axes.append(axes[0])
        keep = int(m.chance())
        x = any_tensor(m, shape, dtype, scaled(m, dtype, not raw), low, high)
        out = kept(shape, axes, keep) if shape else []
        if x.scale is None or raw:
            y = m.like(x, out)
        else:
            y = m.result(out, dtype, *result_scale(m, x.scale[0] * m.scale(0.5, 6), dtype))
        single = len(axes) == 1 and m.chance(0.3)
        return Case(code, [x, m.scalar(axes[0]) if single else m.ints(axes)], [y],
                    options(table, keep_dims=keep))
    return make


def place(code, table):
    def make(m):
        dtype, kind = m.pick(TYPES), m.pick(["int32", "int64"])
        shape = shape_of(m, 1)
        axis = m.integer(-len(shape), len(shape) - 1)
        x = any_tensor(m, shape, dtype, scaled(m, dtype), -3, 3)
        of_axis = m.pick(["int32", "int64"])
        return Case(code, [x, m.ints([axis], of_axis) if m.chance() else m.scalar(axis, of_axis)],
                    [m.result(kept(shape, [axis], False), kind)],
                    options(table, output_type=TYPE_NUMBERS[kind]))
    return make


def cumsum(m):
    dtype = m.pick(TYPES)
    shape = shape_of(m, 1)
    x = any_tensor(m, shape, dtype, scaled(m, dtype, True))
    y = m.like(x, shape) if x.scale is None else \
        m.result(shape, dtype, *result_scale(m, x.scale[0] * m.scale(0.8, 4), dtype))
    return Case(128, [x, m.scalar(m.integer(-len(shape), len(shape) - 1))], [y],
                options(102, exclusive=int(m.chance()), reverse=int(m.chance())))


def cast(m):
    source, target = m.pick(TYPES), m.pick(TYPES)
    x = plain(m, shape_of(m), source, 0 if target.startswith("uint") else -120, 120)
    return Case(53, [x], [m.result(x.shape, target)],
                options(37, in_data_type=TYPE_NUMBERS[source], out_data_type=TYPE_NUMBERS[target]))


def bitcast(m):
    sizes = {"int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "float32": 4,
             "int64": 8, "uint64": 8}
    source, target = m.pick(list(sizes)), m.pick(list(sizes))
    shape = shape_of(m, 0, 3, 60)
    ratio = sizes[target] // sizes[source]
    x = plain(m, shape + [ratio] if ratio > 1 else shape, source)
    out = shape + [sizes[source] // sizes[target]] if sizes[source] > sizes[target] else shape
    return Case(159, [x], [m.result(out, target)], options(124))


def quantize(m):
    source, target = m.pick(["float32", *QUANTIZED, "int32"]), m.pick([*QUANTIZED, "int32"])
    shape = shape_of(m)
    if source == "float32":
        x, scale = m.tensor(shape, source, low=-20.0, high=20.0), m.scale(1e-4, 1)
    elif source == "int32":
        x = m.quantized(shape, source, low=-100000, high=100000, zero=0)
        scale = x.scale[0] * m.scale(0.5, 2000)
    else:
        x = any_tensor(m, shape, source, True)
        scale = x.scale[0] * (1 if m.chance(0.15) else m.scale(1 / 256, 300))
    zero = 0 if target == "int32" else result_scale(m, 1, target)[1]
    return Case(114, [x], [m.result(shape, target, scale, zero)], options(89))


def dequantize(m):
    dtype = m.pick([*QUANTIZED, "float16", "int32"])
    shape = shape_of(m)
    x = plain(m, shape, dtype) if dtype == "float16" else \
        m.quantized(shape, dtype, zero=0 if dtype == "int32" else None)
    return Case(6, [x], [m.result(shape)], options(38))


def leaky(m):
    return options(75, alpha=m.pick([0.01, 0.3, -0.2, 1.5, 0.0]))


def gelu(m):
    return options(116, approximate=int(m.chance()))


def softmax(m):
    return options(9, beta=m.pick([1.0, 0.5, 2.0]))


def table(number):
    return lambda m: options(number)


FAMILIES = {
    "ANY_ABS": unary("ABS", 101, table(78)), "ANY_NEG": unary("NEG", 59, table(42)),
    "ANY_SQRT": unary("SQRT", 75, low=0), "ANY_RSQRT": unary("RSQRT", 76, low=1),
    "ANY_SQUARE": unary("SQUARE", 92, table(66)), "ANY_EXP": unary("EXP", 47, table(33)),
    "ANY_LOG": unary("LOG", 73, low=1), "ANY_SIN": unary("SIN", 66),
    "ANY_COS": unary("COS", 108), "ANY_FLOOR": unary("FLOOR", 8), "ANY_CEIL": unary("CEIL", 104),
    "ANY_ROUND": unary("ROUND", 116), "ANY_SIGN": unary("SIGN", 158, table(123)),
    "ANY_RELU": unary("RELU", 19), "ANY_RELU6": unary("RELU6", 21),
    "ANY_RELU_N1_TO_1": unary("RELU_N1_TO_1", 20),
    "ANY_RELU_0_TO_1": unary("RELU_0_TO_1", 152),
    "ANY_LEAKY_RELU": unary("LEAKY_RELU", 98, leaky), "ANY_ELU": unary("ELU", 111),
    "ANY_GELU": unary("GELU", 150, gelu), "ANY_HARD_SWISH": unary("HARD_SWISH", 117, table(91)),
    "ANY_TANH": unary("TANH", 28), "ANY_LOGISTIC": unary("LOGISTIC", 14),
    "ANY_LOGICAL_NOT": unary("LOGICAL_NOT", 87, table(63)),
    "ANY_ZEROS_LIKE": unary("ZEROS_LIKE", 93, table(67), raw=True),
    "ANY_SOFTMAX": unary("SOFTMAX", 25, softmax, rank=1),
    "ANY_LOG_SOFTMAX": unary("LOG_SOFTMAX", 50, table(36), rank=1),
    "ANY_L2_NORMALIZATION": unary("L2_NORMALIZATION", 11, table(12), rank=1),
    "ANY_ADD": binary(0, 11, act=True), "ANY_SUB": binary(41, 28, act=True),
    "ANY_MUL": binary(18, 21, act=True, product=True),
    "ANY_DIV": binary(42, 29, act=True, divisor=(1, 30), raw=True,
                      types=["float32", "int32"]),
    "ANY_SQUARED_DIFFERENCE": binary(99, 76, product=True),
    "ANY_MAXIMUM": binary(55, 39, same_scale=True), "ANY_MINIMUM": binary(57, 39, same_scale=True),
    "ANY_POW": binary(78, 56, low=0, high=4, raw=True), "ANY_ATAN2": binary(156, 122, raw=True, broadcast=False),
    "ANY_FLOOR_DIV": binary(90, 65, divisor=(1, 30), raw=True, low=-40, high=40),
    "ANY_FLOOR_MOD": binary(95, 72, divisor=(1, 30), raw=True, low=-40, high=40),
    "ANY_FLOOR_DIV_BELOW": binary(90, 65, divisor=(-30, -1), raw=True, low=-40, high=40),
    "ANY_FLOOR_MOD_BELOW": binary(95, 72, divisor=(-30, -1), raw=True, low=-40, high=40),
    "ANY_LOGICAL_AND": binary(86, 62, types=["bool"]),
    "ANY_LOGICAL_OR": binary(84, 60, types=["bool"]),
    "ANY_BITWISE_XOR": binary(160, 125, raw=True),
    "ANY_RIGHT_SHIFT": binary(161, 126, divisor=(0, 7), raw=True),
    "ANY_EQUAL": binary(71, 53, out_type="bool", low=-2, high=2),
    "ANY_NOT_EQUAL": binary(72, 54, out_type="bool", low=-2, high=2),
    "ANY_LESS": binary(58, 41, out_type="bool", low=-2, high=2),
    "ANY_LESS_EQUAL": binary(63, 46, out_type="bool", low=-2, high=2),
    "ANY_GREATER": binary(61, 44, out_type="bool", low=-2, high=2),
    "ANY_GREATER_EQUAL": binary(62, 45, out_type="bool", low=-2, high=2),
    "ANY_SUM": reduction(74), "ANY_MEAN": reduction(40),
    "ANY_REDUCE_PROD": reduction(81, low=-2, high=2, raw=True, types=["float32", "int32", "int64"]),
    "ANY_REDUCE_MAX": reduction(82, raw=True), "ANY_REDUCE_MIN": reduction(89, raw=True),
    "ANY_REDUCE_ANY": reduction(91, raw=True), "ANY_REDUCE_ALL": reduction(140, raw=True),
    "ANY_ARG_MAX": place(56, 40), "ANY_ARG_MIN": place(79, 57), "ANY_CUMSUM": cumsum,
    "ANY_CAST": cast, "ANY_BITCAST": bitcast, "ANY_QUANTIZE": quantize,
    "ANY_DEQUANTIZE": dequantize,
}
