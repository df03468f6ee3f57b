"""Cases of the operators that move elements about: shapes, slices, gathers and scatters."""
import numpy as np

from cases_elementwise import shape_text
from program import ANY, FLOATS, NUMBERS


def splits(p, count):
    """`count` elements as the sizes of some dimensions."""
    sizes, rest = [], count
    while rest > 1 and len(sizes) < 4 and p.chance(0.8):
        size = p.one_of([d for d in range(1, rest + 1) if rest % d == 0])
        sizes.append(size)
        rest //= size
    sizes.append(rest)
    p.random.shuffle(sizes)
    return sizes


def reshape(p):
    shape = p.shape()
    x = p.drawn(shape, p.one_of(ANY))
    count = int(np.prod(shape))
    target = splits(p, count) if count else [0] + splits(p, 6)
    if count and p.chance(0.4):
        target[p.random.randrange(len(target))] = -1
    elif shape and target and target[0] == shape[0] and count and p.chance(0.5):
        target[0] = 0
    text = "(" + "".join(f"{d}, " for d in target).rstrip(" ") + ")"
    return f"R.reshape({x}, {text if p.chance(0.5) or -1 in target or 0 in target else shape_text(target)})"


def broadcast_to(p):
    target = p.shape()
    return f"R.broadcast_to({p.drawn(p.broadcast_from(target), p.one_of(ANY))}, {shape_text(target)})"


def parts_along(p, axis_known):
    shape, dtype = list(p.shape(1)), p.one_of(ANY)
    axis = p.axis(len(shape))
    parts = []
    for _ in range(p.between(1, 4)):
        if axis_known:
            shape[axis] = p.between(0, 4) if p.chance(0.2) else p.between(1, 4)
        parts.append(p.drawn(tuple(shape), dtype))
    return "(" + "".join(x + ", " for x in parts).rstrip(" ") + ")", axis, len(shape)


def concat(p):
    parts, axis, _ = parts_along(p, True)
    return f"R.concat({parts}, axis={axis})"


def stack(p):
    parts, _, rank = parts_along(p, False)
    return f"R.stack({parts}, axis={p.axis(rank + 1)})"


def expand_dims(p):
    shape = p.shape(0, 3)
    rank = len(shape) + p.between(1, 2)
    axes = p.random.sample(range(rank), rank - len(shape))
    axes = [a - rank if p.chance(0.5) else a for a in axes]
    return f"R.expand_dims({p.drawn(shape, p.one_of(ANY))}, axis={axes})"


def squeeze(p):
    shape = tuple(1 if p.chance(0.5) else d for d in p.shape(1))
    x = p.drawn(shape, p.one_of(ANY))
    ones = [a - len(shape) if p.chance(0.5) else a for a, d in enumerate(shape) if d == 1]
    if p.chance(0.3) or not ones:
        return f"R.squeeze({x})"
    return f"R.squeeze({x}, axis={p.random.sample(ones, p.between(1, len(ones)))})"


def flatten(name, low):
    return lambda p: f"R.{name}({p.drawn(p.shape(low), p.one_of(ANY))})"


def permute_dims(p):
    shape = p.shape()
    x = p.drawn(shape, p.one_of(ANY))
    if p.chance(0.25):
        return f"R.permute_dims({x})"
    axes = [a - len(shape) if p.chance(0.3) else a for a in p.random.sample(range(len(shape)), len(shape))]
    return f"R.permute_dims({x}, axes={axes})"


def collapse_sum_to(p):
    shape = p.shape()
    x = p.drawn(shape, p.one_of("float32", "float64", "int32"))
    return f"R.collapse_sum_to({x}, {shape_text(p.broadcast_from(shape))})"


def collapse_sum_like(p):
    shape, dtype = p.shape(), p.one_of("float32", "float64", "int32")
    return f"R.collapse_sum_like({p.drawn(shape, dtype)}, {p.drawn(p.broadcast_from(shape), dtype)})"


def repeat(p):
    shape = p.shape(0, 4)
    x, count = p.drawn(shape, p.one_of(ANY)), p.between(1, 3)
    axis = "" if p.chance(0.3) or not shape else f", axis={p.axis(len(shape))}"
    return f"R.repeat({x}, repeats={count}{axis})"


def tile(p):
    shape = p.shape(0, 4)
    return f"R.tile({p.drawn(shape, p.one_of(ANY))}, repeats={[p.between(1, 3) for _ in range(p.between(1, 4))]})"


def flip(p):
    shape = p.shape(1)
    return f"R.flip({p.drawn(shape, p.one_of(ANY))}, axis={p.axis(len(shape))})"


def reverse_sequence(p):
    shape = p.shape(2)
    seq, batch = p.random.sample(range(len(shape)), 2)
    lengths = p.numbers.integers(0, shape[seq] + 1, shape[batch]).astype(p.one_of("int32", "int64"))
    return (f"R.reverse_sequence({p.drawn(shape, p.one_of(ANY))}, {p.tensor(lengths)}, seq_axis={seq}, "
            f"batch_axis={batch})")


def split(p):
    shape = list(p.shape(1, empty=0))
    axis = p.axis(len(shape))
    if p.chance(0.5):
        sections = p.between(1, 4)
        if p.chance(0.8):
            shape[axis] = sections * p.between(1, 3)
        return f"R.split({p.drawn(tuple(shape), p.one_of(ANY))}, {sections}, axis={axis})"
    shape[axis] = p.between(2, 8)
    at = sorted(p.random.choices(range(0, shape[axis] + 1), k=p.between(1, 3)))
    return f"R.split({p.drawn(tuple(shape), p.one_of(ANY))}, {at}, axis={axis})"


def meshgrid(p):
    dtype = p.one_of(ANY)
    parts = [p.drawn((p.between(1, 4),), dtype) for _ in range(p.between(2, 4))]
    return f'R.meshgrid(({", ".join(parts)}), indexing="{p.one_of("ij", "ij", "xy")}")'


def layout_transform(p):
    dtype = p.one_of("float32", "int32", "float64")
    maps = [((4, 3), "lambda i, j: (j, i)"), ((8,), "lambda i: (i // 4, i % 4)"),
            ((2, 8), "lambda i, j: (i, j // 4, j % 4)"), ((2, 3, 4), "lambda a, b, c: (c, a, b)"),
            ((4, 4), "lambda i, j: (i * 4 + j,)")]
    pads = [((6,), "lambda i: (i // 4, i % 4)"), ((2, 5), "lambda i, j: (j // 2, i, j % 2)")]
    if p.chance(0.4):
        shape, text = p.one_of(pads)
        pad = "0.5" if dtype != "int32" else "7"
        return f"R.layout_transform({p.drawn(shape, dtype)}, index_map={text}, pad_value={pad})"
    shape, text = p.one_of(maps)
    return f"R.layout_transform({p.drawn(shape, dtype)}, index_map={text})"


def pad(p):
    mode = p.one_of("constant", "constant", "reflect", "replicate", "circular", "edge")
    shape = p.shape(1, 4, empty=0.06 if mode == "constant" else 0)
    if mode in ("reflect", "circular"):
        shape = tuple(max(d, 3) for d in shape)
    width = [p.between(0, 2) for _ in range(2 * len(shape))]
    x = p.drawn(shape, p.one_of("float32", "float64", "float16", "int32"))
    value = f", pad_value={p.one_of(0.0, 1.0, -2.0)}" if mode == "constant" else ""
    return f'R.nn.pad({x}, pad_width={width}, pad_mode="{mode}"{value})'


def pixel_shuffle(p):
    factor = p.between(1, 3)
    shape = p.shape(0, 2) + (factor * factor * p.between(1, 3), p.between(1, 4), p.between(1, 4))
    return f"R.nn.pixel_shuffle({p.drawn(shape, p.one_of(NUMBERS))}, upscale_factor={factor})"


def strided_slice(p):
    shape = p.shape(1)
    axes = p.axes(len(shape))
    begin, end, strides = [], [], []
    for axis in axes:
        size = shape[axis]
        strides.append(p.one_of(1, 1, 2, 3, -1, -2))
        begin.append(p.between(-size - 2, size + 2))
        end.append(p.between(-size - 2, size + 2))
    given = f", {strides}" if p.chance(0.7) else ""
    return f"R.strided_slice({p.drawn(shape, p.one_of(ANY))}, {axes}, {begin}, {end}{given})"


def dynamic_strided_slice(p):
    shape = p.shape(1, 4, empty=0)
    strides = [p.one_of(1, 1, 2, -1) for _ in shape]
    begin = [p.between(0, d - 1) for d in shape]
    end = [p.between(b, d) if s > 0 else p.between(0, b) for b, d, s in zip(begin, shape, strides)]
    ints = [p.tensor(np.array(v, "int64")) for v in (begin, end, strides)]
    return f"R.dynamic_strided_slice({p.drawn(shape, p.one_of(ANY))}, {', '.join(ints)})"


def slice_scatter(p):
    shape, dtype = list(p.shape(1, empty=0)), p.one_of(ANY)
    axis, step = p.axis(len(shape)), p.one_of(1, 1, 2, 3)
    start = p.between(0, shape[axis] - 1)
    end = p.between(start + 1, shape[axis])
    x = p.drawn(tuple(shape), dtype)
    shape[axis] = -((start - end) // step)
    return f"R.slice_scatter({x}, {p.drawn(tuple(shape), dtype)}, {start}, {end}, {step}, axis={axis})"


def one_hot(p):
    depth, shape = p.between(1, 5), p.shape(0, 4)
    indices = p.tensor(p.indices(shape, depth))
    dtype = p.one_of("float32", "int32", "int64", "float64")
    kind = "T.{}({})".format
    on, off = (("1.5", "-0.5") if dtype.startswith("f") else ("3", "-1"))
    return (f"R.one_hot({indices}, R.prim_value({kind(dtype, on)}), R.prim_value({kind(dtype, off)}), "
            f"depth={depth}, axis={p.axis(len(shape) + 1)})")


def take(p):
    shape = p.shape(1, 4, empty=0)
    mode = p.one_of("fast", "wrap", "clip", "nan")
    dtype = p.one_of(FLOATS if mode == "nan" else ANY)
    axis = p.axis(len(shape)) if len(shape) > 1 or p.chance(0.5) else None
    size = shape[axis or 0]
    indices = p.indices(p.shape(0, 2), size)
    if mode != "fast" and p.chance(0.7):
        indices = p.indices(indices.shape, 2 * size, indices.dtype.name, mode in ("wrap", "clip"))
    given = "" if axis is None else f", axis={axis}"
    return f'R.take({p.drawn(shape, dtype)}, {p.tensor(indices)}{given}, mode="{mode}")'


def take_backward(p):
    shape, dtype = p.shape(1, 3, empty=0), p.one_of("float32", "float64")
    axis = p.axis(len(shape))
    indices = p.indices(p.shape(1, 1, empty=0), shape[axis])
    at = axis % len(shape)
    grad = shape[:at] + indices.shape + shape[at + 1:]
    return (f"R.grad.take_backward({p.drawn(grad, dtype)}, {p.drawn(shape, dtype)}, "
            f"{p.tensor(indices)}, axis={axis})")


def gather_elements(p):
    shape = p.shape(1, 4, empty=0)
    axis = p.axis(len(shape))
    wanted = list(shape)
    wanted[axis] = p.between(1, 4)
    indices = p.indices(tuple(wanted), shape[axis], negative=p.chance(0.3))
    p.note = "negative indices" if (indices < 0).any() else ""
    return f"R.gather_elements({p.drawn(shape, p.one_of(ANY))}, {p.tensor(indices)}, axis={axis})"


def tuples_into(p, shape, count, batch=()):
    """Indices of shape batch + (..., count) into the leading `count` of `shape`."""
    lead = batch + p.shape(0, 2, empty=0.03)
    columns = [p.indices(lead, d, "int64") for d in shape[:count]]
    return np.stack(columns, axis=-1).astype("int64")


def gather_nd(p):
    shape = p.shape(1, 4, empty=0)
    batch = p.between(0, len(shape) - 1) if p.chance(0.4) else 0
    count = p.between(1, len(shape) - batch)
    indices = tuples_into(p, shape[batch:], count, shape[:batch])
    return f"R.gather_nd({p.drawn(shape, p.one_of(ANY))}, {p.tensor(indices)}, batch_dims={batch})"


REDUCTIONS = ("update", "add", "mul", "min", "max")


def scatter_elements(p):
    shape, dtype = p.shape(1, 4, empty=0), p.one_of("float32", "float64", "int32", "int64")
    axis, reduction = p.axis(len(shape)), p.one_of(REDUCTIONS + ("mean",))
    wanted = [p.between(1, d) for d in shape] if p.chance(0.3) else list(shape)
    wanted[axis] = p.between(1, shape[axis])
    smaller = any(w < d for a, (w, d) in enumerate(zip(wanted, shape)) if a != axis % len(shape))
    p.note = "indices smaller than the data" if smaller else ""
    # No index twice in a line, unless the order of updates does not matter.
    indices = np.argsort(p.numbers.random(tuple(shape[a] if a == axis % len(shape) else w
                                                for a, w in enumerate(wanted))), axis=axis)
    indices = np.take(indices, range(wanted[axis]), axis=axis).astype(p.one_of("int32", "int64"))
    if reduction not in ("update", "mean") and p.chance(0.5):
        indices = p.indices(indices.shape, shape[axis])
    return (f'R.scatter_elements({p.drawn(shape, dtype)}, {p.tensor(indices)}, '
            f'{p.drawn(indices.shape, dtype)}, axis={axis}, reduction="{reduction}")')


def scatter_nd(p):
    shape, dtype = p.shape(1, 4, empty=0), p.one_of("float32", "float64", "int32", "int64")
    count, reduction = p.between(1, len(shape)), p.one_of(REDUCTIONS)
    places = int(np.prod(shape[:count]))
    flat = p.numbers.choice(places, p.between(1, min(places, 5)), replace=reduction != "update")
    indices = np.stack(np.unravel_index(flat, shape[:count]), axis=-1).astype("int64")
    updates = (len(flat),) + shape[count:]
    return (f'R.scatter_nd({p.drawn(shape, dtype)}, {p.tensor(indices)}, {p.drawn(updates, dtype)}, '
            f'reduction="{reduction}")')


def index_put(p):
    shape, dtype = p.shape(1, 3, empty=0), p.one_of("float32", "float64", "int32", "int64")
    accumulate, count = p.chance(0.5), len(shape) if p.chance(0.7) else p.between(1, len(shape))
    places = int(np.prod(shape[:count]))
    flat = p.numbers.choice(places, p.between(1, min(places, 5)), replace=accumulate)
    parts = [p.tensor(i.astype("int64")) for i in np.unravel_index(flat, shape[:count])]
    values = p.drawn((len(flat),) + shape[count:], dtype)
    x = p.drawn(shape, dtype)
    return f'R.index_put({x}, ({"".join(i + ", " for i in parts)}), {values}, accumulate={accumulate})'


def index_tensor(p):
    shape = p.shape(1, 4, empty=0)
    count, lead, negative = p.between(1, len(shape)), p.shape(1, 2, empty=0), p.chance(0.2)
    places = [p.indices(p.broadcast_from(lead) if p.chance(0.4) else lead, d, "int64", negative)
              for d in shape[:count]]
    p.note = "negative indices" if any((i < 0).any() for i in places) else ""
    parts = [p.tensor(i) for i in places]
    return f'R.index_tensor({p.drawn(shape, p.one_of(ANY))}, ({"".join(i + ", " for i in parts)}))'


def shape_to_tensor(p):
    return f"R.shape_to_tensor({shape_text(p.shape(1, 5))})"


def size(p):
    return f"R.size({p.drawn(p.shape(), p.one_of(ANY))})"


def same(name):
    return lambda p: f"R.{name}({p.drawn(p.shape(), p.one_of(ANY))})"


def view(p):
    source, target = p.one_of(("float32", "int32"), ("int64", "uint32"), ("uint8", "int8"), ("int16", "int16"))
    each = np.dtype(source).itemsize // np.dtype(target).itemsize
    count = p.between(1, 12)
    kept = p.between(1, count)
    offset = p.between(0, count - kept) * np.dtype(source).itemsize
    x = p.drawn((count,) if p.chance(0.5) else (1, count), source, low=-99, high=99)
    target = "" if source == target else f', R.dtype("{target}")'
    if not target:
        return f"R.memory.view({x}, {shape_text(splits(p, count))})"
    return (f"R.memory.view({x}, {shape_text(splits(p, kept * each))}{target}, "
            f"R.prim_value({offset}))")


CASES = {
    "relax.reshape": reshape, "relax.broadcast_to": broadcast_to, "relax.concat": concat,
    "relax.stack": stack, "relax.expand_dims": expand_dims, "relax.squeeze": squeeze,
    "relax.flatten": flatten("flatten", 0), "relax.nn.batch_flatten": flatten("nn.batch_flatten", 2),
    "relax.permute_dims": permute_dims, "relax.collapse_sum_to": collapse_sum_to,
    "relax.collapse_sum_like": collapse_sum_like, "relax.repeat": repeat, "relax.tile": tile,
    "relax.flip": flip, "relax.reverse_sequence": reverse_sequence, "relax.split": split,
    "relax.meshgrid": meshgrid, "relax.layout_transform": layout_transform, "relax.nn.pad": pad,
    "relax.nn.pixel_shuffle": pixel_shuffle, "relax.strided_slice": strided_slice,
    "relax.dynamic_strided_slice": dynamic_strided_slice, "relax.slice_scatter": slice_scatter,
    "relax.one_hot": one_hot, "relax.take": take, "relax.grad.take_backward": take_backward,
    "relax.gather_elements": gather_elements, "relax.gather_nd": gather_nd,
    "relax.scatter_elements": scatter_elements, "relax.scatter_nd": scatter_nd,
    "relax.index_put": index_put, "relax.index_tensor": index_tensor,
    "relax.shape_to_tensor": shape_to_tensor, "relax.size": size, "relax.memory.view": view,
    **{f"relax.{name}": same(name) for name in ("grad.no_grad", "grad.start_checkpoint", "grad.end_checkpoint",
                                                "builtin.stop_lift_params", "memory.ensure_zero_offset")},
}
