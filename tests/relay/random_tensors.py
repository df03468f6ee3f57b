"""Generates expressions of random Relay programs over numbers and tensors of rank 1.

Scalars other than int32 are ("num", dtype); their values are integers in range, or floats that float32 holds exactly.
("vec", n) is Tensor[(n), int32] and ("any",) Tensor[(?), int32]; their values are lists.
"""
import random_prelude
from random_prelude import wrap

INT, BOOL, ANY = ("int",), ("bool",), ("any",)
BITS = {"int8": 8, "int16": 16, "int64": 64}
SIZES = [0, 1, 1, 2, 3, 5]
SCAN = 'attrs_type_key="relay.attrs.ScanopAttrs"'
ARITHMETIC = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "maximum": max, "minimum": min}


def apply(op, a_text, b_text):
    return f"{op}({a_text}, {b_text})" if op.isalpha() else f"({a_text} {op} {b_text})"


def running_sums(values):
    total, sums = 0, []
    for v in values:
        total = wrap(total + v)
        sums.append(total)
    return sums


class TensorMakers:
    """Makers of expressions, each a method (type, scope, depth) -> (text, evaluate) or None."""

    # Numbers of other dtypes.
    def number_leaf(self, type_):
        value = self.rng.choice([0, 1, 2, 3, 5, 7, 100])
        if type_[1] == "float32":
            value = value / 4
            return f"{value}f", lambda env: value
        if type_[1] == "int64":
            return f"{value}i64", lambda env: value
        return f'cast({value}, dtype="{type_[1]}")', lambda env: value

    def number(self, type_, scope, depth):
        dtype = type_[1]
        if self.rng.random() < 0.3:
            text, value = self.expression(INT, scope, depth - 1)
            if dtype == "float32":
                bounded = f'cast(minimum(maximum({text}, (0 - 1000)), 1000), dtype="float32")'
                return bounded, lambda env: float(min(max(value(env), -1000), 1000))
            return f'cast({text}, dtype="{dtype}")', lambda env: wrap(value(env), BITS[dtype])
        op = self.rng.choice(list(ARITHMETIC))
        (a_text, a), (b_text, b) = (self.expression(type_, scope, depth - 1) for _ in range(2))
        text, compute = apply(op, a_text, b_text), ARITHMETIC[op]
        if dtype == "float32":
            # Multiples of 1/4 up to 1000: their products and sums are exact.
            inside = f'divide(floor(clip({text}, a_min=-250f, a_max=250f) * 4f), 4f)'
            return inside, lambda env: float(int(min(max(compute(a(env), b(env)), -250), 250) * 4 // 1)) / 4
        return text, lambda env: wrap(compute(a(env), b(env)), BITS[dtype])

    def int_of_number(self, type_, scope, depth):
        dtype = self.rng.choice(["int8", "int16", "int64", "float32"])
        text, value = self.expression(("num", dtype), scope, depth - 1)
        return f'cast({text}, dtype="int32")', lambda env: wrap(int(value(env)))

    def compare_numbers(self, type_, scope, depth):
        kind = ("num", self.rng.choice(["int8", "int64", "float32"]))
        (a_text, a), (b_text, b) = (self.expression(kind, scope, depth - 1) for _ in range(2))
        op, test = self.rng.choice([("<", lambda x, y: x < y), ("<=", lambda x, y: x <= y), ("==", lambda x, y: x == y)])
        return f"({a_text} {op} {b_text})", lambda env: test(a(env), b(env))

    def logic(self, type_, scope, depth):
        (a_text, a), (b_text, b) = (self.expression(BOOL, scope, depth - 1) for _ in range(2))
        op, test = self.rng.choice([("logical_and", lambda x, y: x and y), ("logical_or", lambda x, y: x or y),
                                    ("logical_xor", lambda x, y: x != y)])
        if self.rng.random() < 0.3:
            return f"logical_not({op}({a_text}, {b_text}))", lambda env: not test(a(env), b(env))
        return f"{op}({a_text}, {b_text})", lambda env: test(a(env), b(env))

    # Vectors.
    def vector_leaf(self, type_, scope):
        n = type_[1]
        parts = [self.leaf(INT, scope, 0) for _ in range(n)]
        if n == 0:
            return 'zeros(shape=[0], dtype="int32")', lambda env: []
        if n > 1 and self.rng.random() < 0.3:
            text, value = parts[0]
            return f'full({text}, shape=[{n}], dtype="int32")', lambda env: [value(env)] * n
        fields = ", ".join(text for text, _ in parts) + ("," if n == 1 else "")
        return f"stack(({fields}), axis=0)", lambda env: [value(env) for _, value in parts]

    def vector(self, type_, scope, depth):
        n, rng = type_[1], self.rng
        sub = lambda t: self.expression(t, scope, depth - 1)
        kind = rng.choice(["infix", "infix", "scalar", "reverse", "scan", "concat", "slice", "where", "take", "tile", "reshape"])
        if kind in ("infix", "scalar"):
            op = rng.choice(list(ARITHMETIC))
            (a_text, a), compute = sub(type_), ARITHMETIC[op]
            if kind == "infix":
                b_text, b = sub(type_)
                return apply(op, a_text, b_text), lambda env: [wrap(compute(x, y)) for x, y in zip(a(env), b(env))]
            b_text, b = sub(INT)
            return apply(op, a_text, b_text), lambda env: (lambda v, s: [wrap(compute(x, s)) for x in v])(a(env), b(env))
        if kind == "reverse" and n > 0:
            text, value = sub(type_)
            return f"reverse({text}, axis=0)", lambda env: value(env)[::-1]
        if kind == "scan" and n > 0:
            text, value = sub(type_)
            return f"cumsum({text}, axis=0, {SCAN})", lambda env: running_sums(value(env))
        if kind == "concat":
            left = rng.randrange(n + 1)
            (a_text, a), (b_text, b) = sub(("vec", left)), sub(("vec", n - left))
            return f"concatenate(({a_text}, {b_text}))", lambda env: a(env) + b(env)
        if kind == "slice" and n > 0:
            begin, step = rng.randrange(3), rng.choice([1, 1, 2])
            text, value = sub(("vec", begin + n * step))
            end = begin + (n - 1) * step + 1
            sliced = f"strided_slice({text}, begin=[{begin}], end=[{end}], strides=[{step}], axes=None)"
            return sliced, lambda env: value(env)[begin:end:step]
        if kind == "where":
            (a_text, a), (b_text, b), (c_text, c) = sub(type_), sub(type_), sub(INT)
            name = f"w{self.key()}"
            return (f"(let %{name} = {a_text}; where(%{name} < {c_text}, %{name}, {b_text}))",
                    lambda env: (lambda v, w, s: [x if x < s else y for x, y in zip(v, w)])(a(env), b(env), c(env)))
        if kind == "take" and n > 0:
            m = rng.choice([1, 2, 4])
            (a_text, a), (i_text, i) = sub(("vec", m)), sub(type_)
            return f"take({a_text}, {i_text}, axis=0)", lambda env: (lambda v: [v[min(max(k, 0), m - 1)] for k in i(env)])(a(env))
        if kind == "tile" and n % 2 == 0 and n > 0:
            text, value = sub(("vec", n // 2))
            if rng.random() < 0.5:
                return f"tile({text}, reps=[2])", lambda env: value(env) * 2
            return f"repeat({text}, repeats=2, axis=0)", lambda env: [x for x in value(env) for _ in range(2)]
        if kind == "reshape" and n > 0:
            text, value = sub(type_)
            if rng.random() < 0.5:
                return f"squeeze(transpose(reshape({text}, newshape=[-1, 1]), axes=None), axis=[0])", value
            return f"sum(expand_dims({text}, axis=1), axis=[1])", value
        return None

    def dynamic(self, type_, scope, depth):
        kind = self.rng.choice(["any", "any", "grow", "concat", "scalar", "reverse"])
        if kind == "any":
            text, value = self.expression(("vec", self.rng.choice(SIZES)), scope, depth - 1)
            return f"@any({text})", value
        text, value = self.expression(ANY, scope, depth - 1)
        if kind == "concat":
            other_text, other = self.expression(ANY, scope, depth - 1)
            return f"concatenate(({text}, {other_text}))", lambda env: value(env) + other(env)
        if kind == "reverse":
            return f"reverse({text}, axis=0)", lambda env: value(env)[::-1]
        number_text, number = self.expression(INT, scope, depth - 1)
        if kind == "grow":
            def grown(env):
                n, v = min(number(env), 4), value(env)
                return v + list(range(n, 0, -1))
            return f"@grow(minimum({number_text}, 4), {text})", grown
        return f"({text} + {number_text})", lambda env: (lambda v, s: [wrap(x + s) for x in v])(value(env), number(env))

    def int_of_tensor(self, type_, scope, depth):
        if self.rng.random() < 0.3:
            text, value = self.expression(ANY, scope, depth - 1)
            if self.rng.random() < 0.5:
                return f"sum({text})", lambda env: wrap(sum(value(env)))
            return f'ndarray_size({text}, dtype="int32")', lambda env: len(value(env))
        n = self.rng.choice(SIZES)
        text, value = self.expression(("vec", n), scope, depth - 1)
        if n == 0:
            return f"sum({text})", lambda env: 0
        op, compute = self.rng.choice([("sum", lambda v: wrap(sum(v))), ("max", max), ("min", min),
                                       ("argmax", lambda v: v.index(max(v))), ("argmin", lambda v: v.index(min(v)))])
        return f"{op}({text}, axis=[0])", lambda env: compute(value(env))

    # Integers from functions that call each other.
    def stage(self, type_, scope, depth):
        (n_text, n), (s_text, s) = self.expression(INT, scope, depth - 1), self.expression(INT, scope, depth - 1)
        colour = self.rng.choice(["red", "green", "blue"])
        return (f"@{colour}(minimum({n_text}, 9), {s_text})",
                lambda env: random_prelude.stages(colour, min(n(env), 9), s(env)))
