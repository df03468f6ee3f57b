"""Cases of the operators that work element by element, and of those that make tensors of nothing."""
import numpy as np

from program import ANY, FLOATS, INTEGERS, NUMBERS, SIGNED

UNARY = {  # name: dtypes, low, high of the values
    **{n: (FLOATS, -4, 4) for n in ("asinh", "atan", "cos", "cosh", "erf", "exp", "sigmoid", "sin",
                                    "sinh", "tanh", "nn.gelu", "nn.gelu_tanh", "nn.selu", "nn.silu")},
    "acos": (FLOATS, -1, 1), "asin": (FLOATS, -1, 1), "acosh": (FLOATS, 1, 9),
    "atanh": (FLOATS, -0.9, 0.9), "log": (FLOATS, 0.125, 9), "sqrt": (FLOATS, 0, 9),
    "rsqrt": (FLOATS, 0.125, 9), "tan": (FLOATS, -1.25, 1.25),
    **{n: (NUMBERS, -4, 4) for n in ("abs", "ceil", "floor", "negative", "round", "sign", "square",
                                     "trunc", "nn.relu")},
    "bitwise_not": (INTEGERS + ["bool"], -9, 9), "logical_not": (["bool"], 0, 1),
    **{n: (FLOATS + INTEGERS, -4, 4) for n in ("isfinite", "isinf", "isnan")},
}


def unary(name):
    dtypes, low, high = UNARY[name]

    def case(p):
        dtype = p.one_of(dtypes)
        special = 0.3 if name.startswith("is") else 0.15 if p.chance(0.3) else 0
        array = p.array(p.shape(), dtype, low=low, high=high, special=special)
        if name in ("round", "ceil", "floor", "trunc") and dtype in FLOATS and p.chance(0.5):
            array = (np.round(array.astype("float64") * 2) / 2).astype(array.dtype)  # halves are ties
        return f"R.{name}({p.tensor(array)})"
    return case


ARITHMETIC = {  # name: dtypes, low and high of the first and of the second
    **{n: (NUMBERS, -4, 4, -4, 4) for n in ("add", "subtract", "multiply", "minimum", "maximum")},
    "divide": (FLOATS + SIGNED, -9, 9, 1, 4), "power": (FLOATS, 0.25, 3, -2, 2),
    **{n: (FLOATS + INTEGERS, -9, 9, 1, 4) for n in ("floor_divide", "floor_mod", "mod")},
    "atan2": (FLOATS, -4, 4, -4, 4), "log_add_exp": (FLOATS, -9, 9, -9, 9),
    **{n: (["bool"], 0, 1, 0, 1) for n in ("logical_and", "logical_or", "logical_xor")},
    **{n: (INTEGERS + ["bool"], -9, 9, -9, 9) for n in ("bitwise_and", "bitwise_or", "bitwise_xor")},
    **{n: (INTEGERS, 0, 9, 0, 6) for n in ("left_shift", "right_shift")},
    **{n: (ANY, -3, 3, -3, 3) for n in ("equal", "not_equal", "greater", "greater_equal", "less",
                                        "less_equal")},
}
COMPARISONS = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")
DIVISIONS = ("divide", "floor_divide", "floor_mod", "mod")


def binary(name):
    dtypes, low1, high1, low2, high2 = ARITHMETIC[name]

    def case(p):
        dtype = p.one_of(dtypes)
        shape = p.shape()
        shapes = [shape, p.broadcast_from(shape)]
        p.random.shuffle(shapes)
        special = 0.15 if p.chance(0.25) else 0
        x1 = p.array(shapes[0], dtype, low=low1, high=high1, special=special)
        x2 = p.array(shapes[1], dtype, low=low2, high=high2, special=special)
        if name in COMPARISONS or p.chance(0.2) and name in ("minimum", "maximum"):
            x1 = p.ties(shapes[0], dtype)
            x2 = p.ties(shapes[1], dtype)
        if name in DIVISIONS and dtype not in INTEGERS[4:]:
            x2 = np.where(p.numbers.random(x2.shape) < 0.4, -x2, x2).astype(x2.dtype)
        if name in ("minimum", "maximum") + COMPARISONS and dtype in INTEGERS and p.chance(0.3):
            x1 = p.extremes(shapes[0], dtype)
        if name == "right_shift" and dtype in SIGNED:
            x1 = p.array(shapes[0], dtype, low=-50, high=50)
        if p.chance(0.12) and dtype in ("float32", "int32", "int64") and name not in DIVISIONS:
            value = 1.5 if dtype == "float32" else 2
            return f'R.{name}({p.tensor(x1)}, R.const({value}, "{dtype}"))'
        return f"R.{name}({p.tensor(x1)}, {p.tensor(x2)})"
    return case


def where(p):
    shape, dtype = p.shape(), p.one_of(ANY)
    parts = [p.broadcast_from(shape), shape, p.broadcast_from(shape)]
    p.random.shuffle(parts)
    return (f'R.where({p.drawn(parts[0], "bool")}, {p.drawn(parts[1], dtype)}, '
            f'{p.drawn(parts[2], dtype)})')


def clip(p):
    dtype = p.one_of(FLOATS + SIGNED)
    low, high = p.one_of((-1, 2), (0, 3), (-2, -2), (2, 9), (-9, 9))
    return f"R.clip({p.drawn(p.shape(), dtype)}, {low}, {high})"


def ewise_fma(p):
    shape, dtype = p.shape(), p.one_of(NUMBERS)
    return f"R.ewise_fma({p.drawn(shape, dtype)}, {p.drawn(shape, dtype)}, {p.drawn(shape, dtype)})"


def astype(p):
    source, target = p.one_of(ANY), p.one_of(ANY)
    low = 0 if target.startswith("u") and source in FLOATS else -100
    array = p.array(p.shape(), source, low=low, high=100)
    if source in INTEGERS and target != "bool" and p.chance(0.4):
        array = p.extremes(array.shape, source)  # what does not fit wraps around
        if target in FLOATS:
            array = p.array(array.shape, source, -100, 100)
    if target == "bool":
        array = p.array(array.shape, source, -2, 2)
    return f'R.astype({p.tensor(array)}, dtype="{target}")'


def leakyrelu(p):
    return f"R.nn.leakyrelu({p.drawn(p.shape(), p.one_of(FLOATS))}, alpha={p.one_of(0.01, 0.5, -0.25, 0.0)})"


def softplus(p):
    beta, threshold = p.one_of(1.0, 0.5, 2.0), p.one_of(20.0, 1.0, 3.0)
    return (f"R.nn.softplus({p.drawn(p.shape(), p.one_of(FLOATS))}, beta={beta}, "
            f"threshold={threshold})")


def prelu(p):
    shape, dtype = p.shape(1), p.one_of(FLOATS)
    axis = p.axis(len(shape))
    size = 1 if p.chance(0.3) else shape[axis]
    return f"R.nn.prelu({p.drawn(shape, dtype)}, {p.drawn((size,), dtype)}, axis={axis})"


def relu6(p):
    return f'R.nn.relu6({p.drawn(p.shape(), p.one_of("float32", "float64", "int32"), high=9)})'


def quantize(p):
    shape, dtype = p.shape(1, 4), p.one_of("float32", "float32", "float16")
    axis, out = p.axis(len(shape)), p.one_of("int8", "uint8", "int16", "float8_e4m3fn")
    each = p.chance(0.6)
    scale = p.numbers.choice([0.25, 0.5, 1.0, 2.0], (shape[axis],) if each else ()).astype(dtype)
    point = p.array((shape[axis],) if each else (), p.one_of("int8", "int32"), 0, 5)
    return (f'R.quantize({p.drawn(shape, dtype, low=-50, high=50)}, {p.tensor(scale)}, '
            f'{p.tensor(point)}, axis={axis}, out_dtype="{out}")')


def dequantize(p):
    shape, dtype = p.shape(1, 4), p.one_of("int8", "uint8", "int16", "int32")
    axis, out = p.axis(len(shape)), p.one_of("float32", "float32", "float16")
    each = p.chance(0.6)
    scale = p.numbers.choice([0.25, 0.5, 1.0, 2.0], (shape[axis],) if each else ()).astype(out)
    point = p.array((shape[axis],) if each else (), p.one_of("int8", "int32"), -5, 5)
    return (f'R.dequantize({p.drawn(shape, dtype, low=-50, high=50)}, {p.tensor(scale)}, '
            f'{p.tensor(point)}, axis={axis}, out_dtype="{out}")')


def shape_text(shape):
    return "R.shape([" + ", ".join(map(str, shape)) + "])"


def full(p):
    dtype = p.one_of(ANY)
    low = 0 if dtype.startswith("u") else -3  # what a negative float is as unsigned is not defined
    value = p.tensor(p.array((), p.one_of(dtype, dtype, "float32"), low, 3)) if p.chance(0.6) else \
        f'R.const({p.between(0, 5)}, "{p.one_of("int32", "float32")}")'
    return f'R.full({shape_text(p.shape())}, {value}, dtype="{dtype}")'


def full_like(p):
    x, value = p.drawn(p.shape(), p.one_of(ANY)), p.drawn((), p.one_of(ANY), low=0)
    return f"R.full_like({x}, {value})" if p.chance(0.5) else \
        f'R.full_like({x}, {value}, dtype="{p.one_of(ANY)}")'


def constant(name):
    return lambda p: f'R.{name}({shape_text(p.shape())}, dtype="{p.one_of(ANY)}")'


def constant_like(name):
    def case(p):
        x = p.drawn(p.shape(), p.one_of(ANY))
        return f"R.{name}({x})" if p.chance(0.5) else f'R.{name}({x}, dtype="{p.one_of(ANY)}")'
    return case


def eye(p):
    return (f'R.eye({p.between(0, 5)}, {p.between(1, 6)}, {p.between(-4, 4)}, '
            f'dtype="{p.one_of(ANY)}")')


def eye_like(p):
    x = p.drawn(p.shape(2, 2), p.one_of(ANY))
    dtype = "" if p.chance(0.5) else f', dtype="{p.one_of(ANY)}"'
    return f"R.eye_like({x}, {p.between(-4, 4)}{dtype})"


def arange(p):
    if p.chance(0.4):
        start, step = p.one_of(0.0, -1.5, 2.25), p.one_of(0.5, 0.75, -0.5)
        return (f'R.arange({start}, {start + step * p.between(1, 7) + p.one_of(0, step / 2)}, {step}, '
                f'dtype="{p.one_of("float32", "float64")}")')
    start, step = p.between(-5, 5), p.one_of(1, 2, 3, -1, -2)
    return (f'R.arange({start}, {start + step * p.between(0, 6) + p.one_of(0, 1 if step > 0 else -1)}, '
            f'{step}, dtype="{p.one_of("int32", "int64", "float32", "int8", "uint8")}")')


def hamming_window(p):
    return (f"R.hamming_window({p.between(1, 12)}, {p.one_of(True, False)}, {p.one_of(0.54, 0.5)}, "
            f'{p.one_of(0.46, 0.25)}, dtype="{p.one_of("float32", "float64", "float16")}")')


def triangle(name):
    return lambda p: f"R.{name}({p.drawn(p.shape(2), p.one_of(ANY))}, {p.between(-4, 4)})"


CASES = {
    **{f"relax.{name}": unary(name) for name in UNARY},
    **{f"relax.{name}": binary(name) for name in ARITHMETIC},
    "relax.where": where, "relax.clip": clip, "relax.ewise_fma": ewise_fma, "relax.astype": astype,
    "relax.nn.leakyrelu": leakyrelu, "relax.nn.softplus": softplus, "relax.nn.prelu": prelu,
    "R.nn.relu6": relu6, "relax.quantize": quantize, "relax.dequantize": dequantize,
    "relax.full": full, "relax.full_like": full_like, "relax.ones": constant("ones"),
    "relax.zeros": constant("zeros"), "relax.ones_like": constant_like("ones_like"),
    "relax.zeros_like": constant_like("zeros_like"), "relax.eye": eye, "relax.eye_like": eye_like,
    "relax.arange": arange, "relax.hamming_window": hamming_window, "relax.tril": triangle("tril"),
    "relax.triu": triangle("triu"),
}
