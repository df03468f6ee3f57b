"""Operators that place elements in larger tensors, or read their bits as another type."""
import element_types as et
from graph import NotInVersion, count


def center_crop_pad(g, op):
    x = g.any(g.type(op), 1, 4)
    axes = g.rng.sample(range(x.rank), g.rng.randint(1, x.rank))
    use_axes = g.chance(0.5)
    if not use_axes:
        axes = list(range(x.rank))
    shape = list(x.shape)
    for a in axes:
        shape[a] = g.pick([0, 1, 2, 3, 5, shape[a], shape[a] + 1])
    if count(shape) > 3000:
        raise NotInVersion(op)
    said = [a - x.rank if g.chance(0.3) else a for a in axes] if use_axes else None
    g.node(op, [x, g.ints([shape[a] for a in axes])], [(x.dtype, shape)], axes=said)


def bit_cast(g, op):
    dtype = g.pick(g.types(op, 0))
    if dtype in et.FLOATS:
        equally_wide = [t for t in et.INTEGERS if et.BITS[t] == et.BITS[dtype]]
    else:
        equally_wide = [t for t in et.INTEGERS if et.BITS[t] == et.BITS[dtype]] or ["uint8"]
    x = g.any(dtype, exact=True)
    target = g.pick(equally_wide)
    g.node(op, [x], [(target, x.shape)], to=et.NUMBERS[target])


def tensor_scatter(g, op):
    dtype = g.type(op)
    past = g.any(dtype, 2, 4)
    axis = g.pick(range(1, past.rank))
    length = past.shape[axis]
    update = list(past.shape)
    update[axis] = g.rng.randint(0, length)
    mode = g.pick([None, "linear", "circular"])
    most = 2 * length if mode == "circular" else length - update[axis]
    places = None
    if g.chance(0.7):
        data = [g.rng.randint(0, most) for _ in range(past.shape[0])]
        places = g.ints(data, open_chance=0.5)
    said = g.pick([axis, axis - past.rank])
    g.node(op, [past, g.like(dtype, update), places], [(dtype, past.shape)], mode=mode,
           axis=said)


OPS = {
    "CenterCropPad": center_crop_pad, "BitCast": bit_cast, "TensorScatter": tensor_scatter,
}
