"""Cases of reductions, scans, sorts, sets and matrix products."""
import numpy as np

from program import ANY, FLOATS, INTEGERS, NUMBERS, SIGNED


def axes_text(p, rank):
    kind = p.between(0, 3)
    if kind == 0 or rank == 0:
        return p.one_of("", "axis=None")
    return f"axis={p.axis(rank)}" if kind == 1 else f"axis={p.axes(rank, 0 if p.chance(0.2) else 1)}"


def call(name, x, *attributes):
    return f"R.{name}({', '.join([x, *(a for a in attributes if a)])})"


def keepdims(p):
    return p.one_of("", "keepdims=True", "keepdims=False")


def reduce(name, dtypes, empty):
    def case(p):
        shape, dtype = p.shape(empty=empty), p.one_of(dtypes)
        low, high = (0.5, 1.75) if name == "prod" and dtype in FLOATS else (-3, 3)
        array = p.array(shape, dtype, low=low, high=high)
        if name in ("max", "min") and dtype in FLOATS and p.chance(0.1):
            array = p.array(shape, dtype, special=0.1)
        if name in ("max", "min") and dtype in INTEGERS and p.chance(0.2):
            array = p.extremes(shape, dtype)
        return call(name, p.tensor(array), axes_text(p, len(shape)), keepdims(p))
    return case


def arg_reduce(name):
    def case(p):
        shape, dtype = p.shape(empty=0), p.one_of(NUMBERS)
        axis = "" if p.chance(0.3) or not shape else f"axis={p.axis(len(shape))}"
        x = p.tensor(p.ties(shape, dtype) if p.chance(0.5) else p.array(shape, dtype))
        return call(name, x, axis, keepdims(p))
    return case


def median(p):
    shape = p.shape(1, empty=0)
    return call("median", p.drawn(shape, p.one_of("float32", "float64", "int32", "int64")),
                axes_text(p, len(shape)), keepdims(p))


def scan(name):
    def case(p):
        dtype, shape = p.one_of(NUMBERS + ["bool"]), p.shape(1)
        low, high = (0.5, 1.5) if name == "cumprod" and dtype in FLOATS else (-3, 3)
        axis = "" if p.chance(0.25) else f"axis={p.axis(len(shape))}"
        to = f'dtype="{p.one_of("int32", "int64", "float32", "float64")}"' if p.chance(0.3) else ""
        exclusive = p.one_of("", "exclusive=True", "exclusive=False")
        return call(name, p.drawn(shape, dtype, low=low, high=high), axis, to, exclusive)
    return case


def sortable(p, distinct=False):
    shape, dtype = p.shape(1), p.one_of("float32", "float64", "float16", *SIGNED, "uint8")
    if distinct:
        values = np.argsort(p.numbers.random(shape), axis=None).reshape(shape)
        return p.tensor((values - values.size // 2).astype(dtype)), shape
    return p.tensor(p.ties(shape, dtype) if p.chance(0.5) else p.array(shape, dtype)), shape


def sort(p):
    x, shape = sortable(p)
    return call("sort", x, f"axis={p.axis(len(shape))}", p.one_of("", "descending=True"))


def argsort(p):
    x, shape = sortable(p)
    return call("argsort", x, f"axis={p.axis(len(shape))}", p.one_of("", "descending=True"),
                p.one_of("", 'dtype="int64"', 'dtype="float32"'))


def topk(p):
    x, shape = sortable(p)
    axis = p.axis(len(shape))
    return call("topk", x, f"k={p.between(1, max(shape[axis], 1))}", f"axis={axis}",
                f'ret_type="{p.one_of("both", "values", "indices")}"', f"largest={p.one_of(True, False)}",
                p.one_of("", 'dtype="int64"'))


def unique(p):
    x = p.tensor(p.ties(p.shape(1, 3, empty=0), p.one_of("float32", "int32", "int64")))
    flags = [p.one_of("True", "False") for _ in range(3)]
    return (f"R.unique({x}, sorted=True, return_index={flags[0]}, return_inverse={flags[1]}, "
            f"return_counts={flags[2]})")


def nonzero(p):
    return f"R.nonzero({p.tensor(p.ties(p.shape(1), p.one_of(ANY)))})"


def bucketize(p):
    dtype = p.one_of("float32", "float64", "int32", "int64")
    bounds = np.sort(p.ties((p.between(1, 6),), dtype))
    return call("bucketize", p.tensor(p.ties(p.shape(), dtype)), p.tensor(bounds),
                p.one_of("", "out_int32=True"), p.one_of("", "right=True"))


def multinomial(p):
    batch, choices, samples = p.between(1, 4), p.between(1, 6), p.between(1, 5)
    probabilities = p.array((batch, choices), "float32", 0.1, 1)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    uniform = p.array((samples, 1), "float32", 0.02, 0.98)
    rows = p.indices((samples, 1), batch, "int64")
    return call("multinomial_from_uniform", p.tensor(probabilities.astype("float32")),
                p.tensor(uniform), p.tensor(rows), p.one_of("", 'dtype="int32"'))


def matmul(p):
    dtype = p.one_of("float32", "float32", "float64", "float16", "int8", "int32", "int64", "uint8")
    rows, inner, columns = p.between(1, 5), p.between(1, 7), p.between(1, 5)
    if p.chance(0.06):
        rows, inner = p.one_of((0, inner), (rows, 0))
    batch = p.shape(0, 3, empty=0)
    first = p.broadcast_from(batch) + (rows, inner) if p.chance(0.8) else (inner,)
    second = batch + (inner, columns) if p.chance(0.8) else (inner,)
    out = f'out_dtype="{p.one_of("float32", "float64")}"' if dtype.startswith("f") and p.chance(0.3) \
        else 'out_dtype="int32"' if dtype in ("int8", "uint8") and p.chance(0.7) else ""
    return call("matmul", p.drawn(first, dtype), p.drawn(second, dtype), out)


def linear(p):
    dtype = p.one_of("float32", "float64")
    inner, out = p.between(1, 6), p.between(1, 5)
    x = p.drawn(p.shape(0, 3) + (inner,), dtype)
    weight = p.drawn((out, inner), dtype)
    return call("linear", x, weight, p.drawn((out,), dtype) if p.chance(0.6) else "")


def outer(p):
    dtype = p.one_of(NUMBERS)
    return call("outer", p.drawn((p.between(1, 6),), dtype), p.drawn((p.between(1, 6),), dtype))


EINSUMS = ["ij,jk->ik", "ii->i", "ij->ji", "ij->", "i,i->", "i,j->ij", "bij,bjk->bik", "...ij,...jk->...ik",
           "ij,ij->ij", "ij,kj->ik", "ijk->j", "ij,jk", "ii", "ba", "i,ij,j->", "...i->...", "ij,j->i"]


def einsum(p):
    text = p.one_of(EINSUMS)
    sizes = {letter: p.between(1, 4) for letter in "abijk"}
    dots = p.shape(0, 2, empty=0)
    dtype = p.one_of("float32", "float64", "int32")
    names = []
    for part in text.split("->")[0].split(","):
        lead = dots if part.startswith("...") else ()
        names.append(p.drawn(lead + tuple(sizes[c] for c in part if c != "."), dtype))
    return f'R.einsum(({"".join(n + ", " for n in names)}), subscripts="{text}")'


CASES = {
    "relax.sum": reduce("sum", NUMBERS, 0.06), "relax.prod": reduce("prod", NUMBERS, 0.06),
    "relax.mean": reduce("mean", FLOATS, 0), "relax.max": reduce("max", NUMBERS, 0),
    "relax.min": reduce("min", NUMBERS, 0), "relax.std": reduce("std", FLOATS, 0),
    "relax.variance": reduce("variance", FLOATS, 0), "relax.argmax": arg_reduce("argmax"),
    "relax.argmin": arg_reduce("argmin"), "relax.median": median, "relax.cumsum": scan("cumsum"),
    "relax.cumprod": scan("cumprod"), "relax.sort": sort, "relax.argsort": argsort,
    "relax.topk": topk, "relax.unique": unique, "relax.nonzero": nonzero,
    "relax.bucketize": bucketize, "relax.multinomial_from_uniform": multinomial,
    "relax.matmul": matmul, "R.linear": linear, "relax.outer": outer, "relax.einsum": einsum,
}
