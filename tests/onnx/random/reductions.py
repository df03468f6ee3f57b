"""Operators that look along axes: reductions, order, softmax, norms."""
import element_types as et
from graph import NotInVersion, count


def reduce(g, op):
    dtype = g.type(op)
    positive = op in ("ReduceLogSum",)
    shape = g.shape(0, 4)
    element = None
    if positive:
        def element():
            return g.rng.randint(1, 8) / 4.0 if dtype in et.FLOATS else g.rng.randint(1, 8)
    elif op in ("ReduceL2", "ReduceSumSquare", "ReduceProd", "ReduceLogSumExp"):
        def element():
            low = 0 if dtype in et.UNSIGNED else -3
            return g.rng.randint(low, 3) / 1.0 if dtype in et.FLOATS else g.rng.randint(low, 3)
    x = g.fresh(dtype, shape, element) if element else g.any(dtype)
    rank = x.rank
    keep = g.pick([None, 0, 1])
    axes = g.rng.sample(range(rank), g.rng.randint(0, rank))
    newest = g.opset >= 18 or (op == "ReduceSum" and g.opset >= 13)
    attrs, inputs = {"keepdims": keep}, [x]
    if newest:
        attrs["noop_with_empty_axes"] = g.pick([None, None, 0, 1])
    said = [a - rank if (g.opset >= 11) and g.chance(0.4) else a for a in axes]
    if newest and (axes or g.chance(0.4)):
        inputs.append(g.ints(said))
    elif axes:
        attrs["axes"] = said
    if not axes and not attrs.get("noop_with_empty_axes"):
        axes = list(range(rank))
    out = [1 if i in axes else d for i, d in enumerate(x.shape)]
    if keep == 0:
        out = [d for i, d in enumerate(x.shape) if i not in axes]
    if not axes and attrs.get("noop_with_empty_axes"):
        out = list(x.shape)
    empty = any(x.shape[a] == 0 for a in axes)
    if empty and op in ("ReduceMean", "ReduceLogSum", "ReduceLogSumExp"):
        raise NotInVersion(op)
    if empty and op in ("ReduceMax", "ReduceMin") and g.opset < 20:
        raise NotInVersion(op)
    g.node(op, inputs, [(dtype, out)], **attrs)


def arg_reduce(g, op):
    x = g.any(g.type(op), 1, 4, exact=True)
    if 0 in x.shape:
        raise NotInVersion(op)
    axis = g.axis(x.rank) if g.opset >= 11 else g.rng.randrange(x.rank)
    if x.shape[axis] == 0:
        raise NotInVersion(op)
    keep = g.pick([None, 0, 1])
    out = [1 if i == axis % x.rank else d for i, d in enumerate(x.shape)]
    if keep == 0:
        out.pop(axis % x.rank)
    attrs = {"axis": axis if g.chance(0.8) or axis % x.rank != 0 else None, "keepdims": keep}
    if g.opset >= 12:
        attrs["select_last_index"] = g.pick([None, 0, 1])
    g.node(op, [x], [("int64", out)], **attrs)


def softmax(g, op):
    x = g.any(g.type(op), 1, 4, exact=op == "Hardmax")
    low = -x.rank if g.opset >= 11 else 0
    axis = g.rng.randint(low, x.rank - 1)
    if g.chance(0.2) and (g.opset >= 13 or x.rank > 1):
        axis = None
    if 0 in x.shape:
        raise NotInVersion(op)
    g.node(op, [x], [(x.dtype, x.shape)], axis=axis)


def lp_normalization(g, op):
    x = g.any(g.type(op), 1, 4)
    g.node(op, [x], [(x.dtype, x.shape)], axis=g.pick([None, g.axis(x.rank)]), p=g.pick([None, 1, 2]))


def mean_variance(g, op):
    x = g.any(g.type(op), 4, 4)
    if 0 in x.shape:
        raise NotInVersion(op)
    axes = g.pick([None, sorted(g.rng.sample(range(4), g.rng.randint(1, 4)))])
    # One element has no variance: what is left is rounding over a tiny number.
    over = axes or [0, 2, 3]
    if count([x.shape[a] for a in over]) < 6:
        raise NotInVersion(op)
    x = g.fresh(x.dtype, x.shape)
    g.node(op, [x], [(x.dtype, x.shape)], axes=axes)


def top_k(g, op):
    dtype = g.type(op)
    shape = g.shape(1, 4)
    axis = g.axis(len(shape)) if g.opset >= 11 else g.rng.randrange(len(shape))
    size = shape[axis]
    k = g.pick([0, 1, size, g.rng.randint(0, size)])
    k = min(k, size)
    # Equal elements come in the order of their places, as the text says.
    x = g.fresh(dtype, shape)
    out = list(shape)
    out[axis] = k
    attrs = {"axis": axis}
    if axis % len(shape) == len(shape) - 1 and g.chance(0.3):
        attrs = {}
    if g.opset >= 11:
        attrs["largest"], attrs["sorted"] = g.pick([None, 0, 1]), g.pick([None, 1])
    outs = [(dtype, out), ("int64", out)]
    if g.opset < 10:
        g.node(op, [x], outs, k=k, **attrs)
    else:
        g.node(op, [x, g.ints([k], open_chance=0.15)], outs, **attrs)


def channels(g, dtype, low=2, high=5, positive=False):
    shape = [g.pick([1, 2, 3])] + [g.pick([1, 2, 3, 4, 6])]
    shape += [g.pick([1, 2, 3, 5]) for _ in range(g.rng.randint(low, high) - 2)]
    return g.like(dtype, shape)


def batch_norm(g, op):
    dtype = g.type(op)
    x = channels(g, dtype)
    c = [x.shape[1]]
    other = dtype if g.opset < 15 else g.type(op, 1)
    last = other if g.opset < 14 or g.opset >= 15 and g.chance(0.5) else g.type(op, 3)
    if g.opset == 14:
        last = g.type(op, 3)
    scale, bias = g.fresh(other, c), g.fresh(other, c)
    mean = g.fresh(last, c)
    var = g.fresh(last, c, lambda: g.rng.randint(1, 8) / 4.0)
    g.node(op, [x, scale, bias, mean, var], [(dtype, x.shape)],
           epsilon=g.pick([None, 0.001, 0.1]), momentum=g.pick([None, 0.5]))


def spread(g, dtype, shape):
    """Elements that are not all one: a variance near 0 makes much of rounding."""
    return g.fresh(dtype, shape, lambda: g.rng.randint(-8, 8) / 4.0)


def instance_norm(g, op):
    dtype = g.type(op)
    shape = [g.pick([1, 2, 3]), g.pick([1, 2, 3])] + [g.pick([2, 3, 5])
                                                      for _ in range(g.rng.randint(1, 3))]
    x = spread(g, dtype, shape)
    g.node(op, [x, g.fresh(dtype, [shape[1]]), g.fresh(dtype, [shape[1]])], [(dtype, shape)],
           epsilon=g.pick([None, 0.001, 0.1]))


def layer_norm(g, op):
    dtype = g.type(op)
    shape = [g.pick([1, 2, 3, 5]) for _ in range(g.rng.randint(1, 4))]
    axis = g.axis(len(shape))
    at = axis % len(shape)
    if count(shape[at:]) < 2:
        shape[-1] = 4
    x = spread(g, dtype, shape)
    attrs = {"axis": axis, "epsilon": g.pick([None, 0.001, 0.1])}
    if at == len(shape) - 1 and g.chance(0.3):
        attrs["axis"] = None
    scale = g.fresh(dtype, shape[at:])
    if op == "RMSNormalization":
        g.node(op, [x, scale], [(dtype, shape)], **attrs)
        return
    bias = g.fresh(dtype, shape[at:]) if g.chance(0.6) else None
    stats = shape[:at] + [1] * (len(shape) - at)
    outs = [(dtype, shape)]
    outs += [("float", stats) if g.chance(0.4) else None for _ in range(2)]
    g.node(op, [x, scale, bias], outs, **attrs)


def group_norm(g, op):
    dtype = g.type(op)
    groups, each = g.pick([1, 2, 3]), g.pick([1, 2])
    shape = [g.pick([1, 2]), groups * each] + [g.pick([2, 3]) for _ in range(g.rng.randint(1, 2))]
    n = [groups if g.opset < 21 else groups * each]
    g.node(op, [spread(g, dtype, shape), g.fresh(dtype, n), g.fresh(dtype, n)], [(dtype, shape)],
           num_groups=groups, epsilon=g.pick([None, 0.001]))


def lrn(g, op):
    x = channels(g, g.type(op), 3, 4)
    attrs = {k: v for k, v in (("alpha", 0.01), ("beta", 0.5), ("bias", 2.0)) if g.chance(0.5)}
    g.node(op, [x], [(x.dtype, x.shape)], size=g.pick([1, 3, 5]), **attrs)


def loss(g, op):
    dtype = g.type(op)
    n, c = g.pick([1, 2, 3]), g.pick([1, 2, 3, 5])
    more = [g.pick([1, 2, 3]) for _ in range(g.rng.randint(0, 2))]
    x = g.fresh(dtype, [n, c] + more)
    ignore = g.pick([None, 0, c - 1])
    target_type = g.pick(g.types(op, 1))
    target = g.fresh(target_type, [n] + more, lambda: g.rng.randint(0, c - 1))
    weight = g.fresh(dtype, [c], lambda: g.rng.randint(1, 8) / 4.0) if g.chance(0.5) else None
    how = g.pick([None, "mean", "sum", "none"])
    if how in (None, "mean") and ignore is not None:
        if all(v == ignore for v in target.data):
            raise NotInVersion(op)
    outs = [(dtype, [n] + more if how == "none" else [])]
    if op == "SoftmaxCrossEntropyLoss":
        outs.append((dtype, x.shape) if g.chance(0.5) else None)
    g.node(op, [x, target, weight], outs, reduction=how, ignore_index=ignore)


REDUCE = ["ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
          "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"]
OPS = {op: reduce for op in REDUCE}
OPS.update({
    "ArgMax": arg_reduce, "ArgMin": arg_reduce, "Softmax": softmax, "LogSoftmax": softmax,
    "Hardmax": softmax, "LpNormalization": lp_normalization, "TopK": top_k,
    "MeanVarianceNormalization": mean_variance, "BatchNormalization": batch_norm,
    "InstanceNormalization": instance_norm, "LayerNormalization": layer_norm,
    "RMSNormalization": layer_norm, "GroupNormalization": group_norm, "LRN": lrn,
    "NegativeLogLikelihoodLoss": loss, "SoftmaxCrossEntropyLoss": loss,
})
