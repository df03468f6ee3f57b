"""Operators that take their operands element by element."""
import element_types as et
from graph import NotInVersion


def near(low, high, parts=8):
    return lambda g: (lambda: g.rng.randint(int(low * parts), int(high * parts)) / float(parts))


def nonzero(g, dtype):
    def one():
        while True:
            v = g.element(dtype)
            if v:
                return v
    return one


# Operator to (what its operand may be, whether the result jumps where the operand is rounded).
UNARY = {
    "Abs": None, "Acos": near(-1, 1), "Acosh": near(1, 4), "Asin": near(-1, 1), "Asinh": None,
    "Atan": None, "Atanh": near(-0.875, 0.875), "BitwiseNot": None, "Ceil": None, "Cos": None,
    "Cosh": None, "Erf": None, "Exp": None, "Floor": None, "Identity": None, "IsNaN": None,
    "Log": near(0.125, 8), "Neg": None, "Not": None, "Relu": None, "Round": None,
    "Sigmoid": None, "Sign": None, "Sin": None, "Sinh": None, "Softplus": None,
    "Softsign": None, "Sqrt": near(0, 8), "Tan": near(-1, 1), "Tanh": None, "Mish": None,
    "HardSwish": None, "IsInf": None,
}
JUMPS = {"Ceil", "Floor", "Round", "Sign", "IsNaN", "IsInf", "Not"}
ATTRIBUTES = {
    "Celu": [("alpha", 0.5, 2)], "Elu": [("alpha", 0.5, 2)],
    "Selu": [("alpha", 0.5, 2), ("gamma", 0.5, 2)], "LeakyRelu": [("alpha", 0, 1)],
    "ThresholdedRelu": [("alpha", 0, 2)], "HardSigmoid": [("alpha", 0, 1), ("beta", 0, 1)],
    "Shrink": [("lambd", 0, 2), ("bias", 0, 1)], "Swish": [("alpha", 0, 2)],
}


def unary(g, op):
    dtype = g.type(op)
    domain = UNARY[op](g) if UNARY[op] and dtype in et.FLOATS else None
    x = g.any(dtype, element=domain, exact=op in JUMPS)
    attrs = {}
    if op == "IsInf":
        attrs = {k: g.rng.randint(0, 1) for k in ("detect_negative", "detect_positive")
                 if g.chance(0.5)}
    out = "bool" if op in ("IsNaN", "IsInf") else dtype
    g.node(op, [x], [(out, x.shape)], **attrs)


def activation(g, op):
    dtype = g.type(op)
    x = g.any(dtype, exact=op in ("Shrink", "ThresholdedRelu"))
    attrs = {name: g.rng.randint(int(low * 4), int(high * 4)) / 4.0 + 0.0
             for name, low, high in ATTRIBUTES[op] if g.chance(0.6)}
    if op == "ThresholdedRelu" and attrs:
        attrs["alpha"] += 0.1
    if attrs.get("alpha") == 0.0 and op == "Celu":
        attrs["alpha"] = 0.75
    g.node(op, [x], [(dtype, x.shape)], **attrs)


def reciprocal(g, op):
    dtype = g.type(op)
    shape = g.shape()
    x = g.fresh(dtype, shape, nonzero(g, dtype))
    g.node(op, [x], [(dtype, shape)])


def gelu(g, op):
    x = g.any(g.type(op))
    g.node(op, [x], [(x.dtype, x.shape)], approximate=g.pick([None, "none", "tanh"]))


def pair(g, dtype, element=None, exact=False):
    """Two operands and the shape that they broadcast to."""
    a = g.any(dtype, exact=exact)
    b_shape = g.broadcast(a.shape)
    b = g.fresh(dtype, b_shape, element) if element else g.like(dtype, b_shape, exact=exact)
    shape = a.shape
    if element is None and g.chance(0.4):
        a, b = b, a
    return a, b, shape


BINARY = ["Add", "Sub", "Mul", "And", "Or", "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor"]
COMPARISONS = ["Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"]


def binary(g, op):
    dtype = g.type(op)
    a, b, shape = pair(g, dtype)
    g.node(op, [a, b], [(dtype, shape)])


def comparison(g, op):
    a, b, shape = pair(g, g.type(op), exact=True)
    g.node(op, [a, b], [("bool", shape)])


def division(g, op):
    dtype = g.type(op)

    def positive():
        v = nonzero(g, dtype)()
        return v if dtype in et.FLOATS or v != -1 else 3
    a, b, shape = pair(g, dtype, positive, exact=op == "Mod")
    attrs = {}
    if op == "Mod":
        real = dtype in et.FLOATS and g.opset < 28
        attrs["fmod"] = 1 if real or g.chance(0.5) else g.pick([None, 0])
    g.node(op, [a, b], [(dtype, shape)], **attrs)


def power(g, op):
    dtype = g.type(op)
    exponent_type = dtype if g.opset < 12 else g.type(op, 1)
    base = g.fresh(dtype, g.shape(), lambda: g.rng.randint(1, 4) / 1.0 if dtype in et.FLOATS
                   else g.rng.randint(1, 3))
    exponents = [0, 1, 2, 3] if exponent_type in et.INTEGERS else [0.0, 0.5, 1.0, 2.0]
    if dtype in et.INTEGERS and exponent_type in et.FLOATS:
        exponents = [0.0, 1.0, 2.0]
    b = g.fresh(exponent_type, g.broadcast(base.shape), lambda: g.pick(exponents))
    g.node(op, [base, b], [(dtype, base.shape)])


def shift(g, op):
    dtype = g.type(op)
    a = g.any(dtype, exact=True)
    low, high = 0, et.BITS[dtype] - 1
    if g.opset >= 28:
        low, high = (low if dtype in et.UNSIGNED else -2), high + 3
    b = g.fresh(dtype, g.broadcast(a.shape), lambda: g.rng.randint(low, high))
    g.node(op, [a, b], [(dtype, a.shape)], direction=g.pick(["LEFT", "RIGHT"]))


def variadic(g, op):
    dtype = g.type(op)
    first = g.any(dtype)
    more = [g.like(dtype, g.broadcast(first.shape)) for _ in range(g.rng.randint(0, 3))]
    operands = [first] + more
    g.rng.shuffle(operands)
    g.node(op, operands, [(dtype, first.shape)])


def swiglu(g, op):
    dtype = g.type(op)
    x = g.any(dtype)
    g.node(op, [x, g.like(dtype, x.shape)], [(dtype, x.shape)], alpha=g.pick([None, 0.5, 1.7]))


def prelu(g, op):
    dtype = g.type(op)
    x = g.any(dtype)
    slope = g.like(dtype, g.broadcast(x.shape))
    g.node(op, [x, slope], [(dtype, x.shape)])


def where(g, op):
    dtype = g.type(op, 1)
    x = g.any(dtype)
    y = g.like(dtype, g.broadcast(x.shape))
    condition = g.like("bool", g.broadcast(x.shape))
    g.node(op, [condition, x, y], [(dtype, x.shape)])


def clip(g, op):
    dtype = g.type(op)
    x = g.any(dtype)
    if g.opset < 11:
        if dtype != "float":
            raise NotInVersion(op)
        bounds = sorted([g.rng.randint(-4, 4) / 4.0, g.rng.randint(-4, 4) / 4.0])
        attrs = {k: v for k, v in zip(("min", "max"), bounds) if g.chance(0.7)}
        g.node(op, [x], [(dtype, x.shape)], **attrs)
        return
    low, high = sorted([g.element(dtype), g.element(dtype)])
    ends = [g.fresh(dtype, [], data=[v]) if g.chance(0.7) else None for v in (low, high)]
    g.node(op, [x] + ends, [(dtype, x.shape)])


def cast(g, op):
    source = g.pick(g.types(op, 0))
    targets = g.types(op, "T2")
    target = g.pick(targets)

    def element():
        v = g.element(source)
        if target in et.UNSIGNED and v < 0:
            v = abs(v) if v > -100 else 7
        if target in et.FLOATS and abs(v) > 100:
            v = 9
        return v
    fits = element
    if source in et.FLOATS and target not in et.FLOATS + ("bool",):
        def fits():
            return float(abs(element()))
    x = g.fresh(source, g.shape(), fits)
    if op == "CastLike":
        other = g.fresh(target, g.shape(0, 2))
        g.node(op, [x, other], [(target, x.shape)])
    else:
        g.node(op, [x], [(target, x.shape)], to=et.NUMBERS[target])


def dropout(g, op):
    x = g.any(g.type(op))
    outs = [(x.dtype, x.shape), ("bool", x.shape) if g.opset >= 12 and g.chance(0.4) else None]
    if g.opset >= 12:
        ratio = g.fresh(g.type(op, 1), [], data=[0.5]) if g.chance(0.5) else None
        training = g.fresh("bool", [], data=[False]) if ratio and g.chance(0.5) else None
        g.node(op, [x, ratio, training], outs)
    else:
        g.node(op, [x], outs, ratio=0.5 if g.chance(0.5) else None)


OPS = {op: unary for op in UNARY}
OPS.update({op: activation for op in ATTRIBUTES})
OPS.update({op: binary for op in BINARY})
OPS.update({op: comparison for op in COMPARISONS})
OPS.update({op: variadic for op in ("Max", "Min", "Sum", "Mean")})
OPS.update({"Reciprocal": reciprocal, "Gelu": gelu, "Div": division, "Mod": division,
            "Pow": power, "BitShift": shift, "PRelu": prelu, "Where": where, "Clip": clip,
            "Cast": cast, "CastLike": cast, "Dropout": dropout, "SwiGLU": swiglu})
