"""Operators whose windows move over images."""
import math

import element_types as et
from graph import NotInVersion


def window(g, space, dilated=True, most=3):
    """Kernel, strides, dilations and padding over `space`, and how many windows there are."""
    rank = len(space)
    attrs = {}
    kernel = [g.rng.randint(1, most) for _ in space]
    strides = [g.pick([1, 1, 2, 3]) for _ in space]
    dilations = [g.pick([1, 1, 1, 2]) if dilated else 1 for _ in space]
    auto = g.pick(["NOTSET"] * 5 + ["SAME_UPPER", "SAME_LOWER", "VALID"])
    span = [d * (k - 1) + 1 for k, d in zip(kernel, dilations)]
    before, after = [0] * rank, [0] * rank
    if auto == "NOTSET" and g.chance(0.6):
        before = [g.rng.randint(0, k - 1) for k in kernel]
        after = [g.rng.randint(0, k - 1) for k in kernel]
        attrs["pads"] = before + after
    elif auto.startswith("SAME"):
        for i in range(rank):
            out = -(-space[i] // strides[i])
            total = max(0, (out - 1) * strides[i] + span[i] - space[i])
            less = total // 2
            before[i] = less if auto == "SAME_UPPER" else total - less
            after[i] = total - before[i]
    if auto != "NOTSET" or g.chance(0.2):
        attrs["auto_pad"] = auto
    if strides != [1] * rank or g.chance(0.3):
        attrs["strides"] = strides
    if dilations != [1] * rank or g.chance(0.2):
        attrs["dilations"] = dilations
    for i in range(rank):
        if space[i] + before[i] + after[i] < span[i]:
            raise NotInVersion("a window that fits")
    return kernel, strides, dilations, before, after, span, attrs


def counts(space, strides, before, after, span, ceil=False):
    out = []
    for i in range(len(space)):
        room = space[i] + before[i] + after[i] - span[i]
        n = (-(-room // strides[i]) if ceil else room // strides[i]) + 1
        if ceil and (n - 1) * strides[i] >= space[i] + before[i]:
            n -= 1
        out.append(n)
    return out


def image(g, low=1, high=3):
    rank = g.pick([1, 2, 2, 2, 3])
    rank = min(max(rank, low), high)
    return [g.pick([1, 2, 3, 4, 5, 7, 8, 9]) if rank < 3 else g.pick([1, 2, 3, 4])
            for _ in range(rank)]


def conv(g, op):
    space = image(g)
    kernel, strides, dilations, before, after, span, attrs = window(g, space)
    group = g.pick([1, 1, 1, 2, 3])
    n, c, m = g.pick([1, 2]), group * g.pick([1, 2, 3]), group * g.pick([1, 2, 3])
    if g.chance(0.15):
        n = 0 if g.opset >= 11 and g.chance(0.3) else 1
    attrs["group"] = group if group > 1 or g.chance(0.3) else None
    if g.chance(0.5):
        attrs["kernel_shape"] = kernel
    out = [n, m] + counts(space, strides, before, after, span)
    if op == "Conv":
        dtype = g.type(op)
        x = g.like(dtype, [n, c] + space)
        w = g.fresh(dtype, [m, c // group] + kernel, kind=g.pick(["initializer"] * 3 + ["input"]))
        b = g.fresh(dtype, [m]) if g.chance(0.5) else None
        g.node(op, [x, w, b], [(dtype, out)], **attrs)
        return
    a, b = g.pick(g.types(op, 0)), g.pick(g.types(op, 1))
    x, w = g.fresh(a, [n, c] + space), g.fresh(b, [m, c // group] + kernel, kind="initializer")
    zeros = [g.fresh(a, []) if g.chance(0.6) else None, None]
    if g.chance(0.5):
        zeros[1] = g.fresh(b, g.pick([[], [m]]), kind="initializer")
    g.node(op, [x, w] + zeros, [("int32", out)], **attrs)


def conv_transpose(g, op):
    space = [min(s, 5) for s in image(g)]
    rank = len(space)
    group = g.pick([1, 1, 1, 2])
    n, c, m = g.pick([1, 2]), group * g.pick([1, 2]), g.pick([1, 2, 3])
    kernel = [g.rng.randint(1, 3) for _ in space]
    strides = [g.pick([1, 1, 2, 3]) for _ in space]
    dilations = [g.pick([1, 1, 1, 2]) for _ in space]
    more = [g.rng.randint(0, max(s, d) - 1) if g.chance(0.4) else 0
            for s, d in zip(strides, dilations)]
    full = [s * (i - 1) + p + (k - 1) * d + 1
            for s, i, p, k, d in zip(strides, space, more, kernel, dilations)]
    attrs = {"group": group if group > 1 else None}
    form = g.pick(["pads", "auto", "shape", "plain"])
    if form == "pads":
        pads = [g.rng.randint(0, k - 1) for k in kernel + kernel]
        out = [f - pads[i] - pads[i + rank] for i, f in enumerate(full)]
        attrs["pads"] = pads
    elif form == "auto":
        attrs["auto_pad"] = g.pick(["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"])
        out = list(full)
        if attrs["auto_pad"].startswith("SAME"):
            out = [i * s for i, s in zip(space, strides)]
            if any(f < o for f, o in zip(full, out)):
                raise NotInVersion(op)
    elif form == "shape":
        out = [max(1, f - g.rng.randint(0, k)) for f, k in zip(full, kernel)]
        attrs["output_shape"] = out
        attrs["auto_pad"] = g.pick([None, "NOTSET", "SAME_UPPER", "SAME_LOWER"])
    else:
        out = full
    if min(out) < 1:
        raise NotInVersion(op)
    if any(more) or g.chance(0.2):
        attrs["output_padding"] = more
    if strides != [1] * rank or g.chance(0.2):
        attrs["strides"] = strides
    if dilations != [1] * rank:
        attrs["dilations"] = dilations
    if g.chance(0.5):
        attrs["kernel_shape"] = kernel
    dtype = g.type(op)
    x = g.like(dtype, [n, c] + space)
    w = g.fresh(dtype, [c, m] + kernel, kind=g.pick(["initializer"] * 3 + ["input"]))
    b = g.fresh(dtype, [m * group]) if g.chance(0.4) else None
    g.node(op, [x, w, b], [(dtype, [n, m * group] + out)], **attrs)


def pool(g, op):
    space = image(g)
    dtype = g.type(op)
    dilated = {"MaxPool": g.opset >= 10, "AveragePool": g.opset >= 19,
               "LpPool": g.opset >= 18}[op]
    kernel, strides, dilations, before, after, span, attrs = window(g, space, dilated)
    if not dilated:
        attrs.pop("dilations", None)
    attrs["kernel_shape"] = kernel
    ceil = False
    has_ceil = {"MaxPool": 10, "AveragePool": 10, "LpPool": 18}[op] <= g.opset
    if has_ceil and g.chance(0.4):
        ceil = g.chance(0.7)
        attrs["ceil_mode"] = int(ceil)
        if attrs.get("auto_pad", "NOTSET") != "NOTSET":
            attrs.pop("ceil_mode")
            ceil = False
    if op == "AveragePool" and g.opset >= 7:
        attrs["count_include_pad"] = g.pick([None, 0, 1])
    if op == "LpPool":
        attrs["p"] = g.pick([None, 1, 2, 3])
    n, c = g.pick([1, 2]), g.pick([1, 2, 3])
    x = g.like(dtype, [n, c] + space)
    out = [n, c] + counts(space, strides, before, after, span, ceil)
    outs = [(dtype, out)]
    if op == "MaxPool" and g.opset >= 8 and g.chance(0.3):
        outs.append(("int64", out))
        attrs["storage_order"] = g.pick([None, 0, 1])
        x = g.fresh(dtype, [n, c] + space)
    g.node(op, [x], outs, **attrs)


def global_pool(g, op):
    x = g.like(g.type(op), [g.pick([1, 2]), g.pick([1, 2, 3])] + image(g))
    attrs = {"p": g.pick([None, 1, 2, 3])} if op == "GlobalLpPool" else {}
    g.node(op, [x], [(x.dtype, x.shape[:2] + [1] * (x.rank - 2))], **attrs)


def max_unpool(g, op):
    n, c, h, w = 1, g.pick([1, 2]), g.pick([1, 2]), g.pick([1, 2])
    x = g.fresh(g.type(op), [n, c, h, w])
    places = []
    for plane in range(n * c):
        for y in range(h):
            for z in range(w):
                places.append(plane * h * w * 4 + (2 * y + g.rng.randint(0, 1)) * w * 2 +
                              2 * z + g.rng.randint(0, 1))
    indices = g.fresh("int64", x.shape, None, places)
    g.node(op, [x, indices], [(x.dtype, [n, c, 2 * h, 2 * w])], kernel_shape=[2, 2], strides=[2, 2])


def resize(g, op):
    dtype = g.type(op, 0 if op == "Upsample" or g.opset >= 10 else 0)
    space = [g.pick([1, 2, 3, 4, 5]) for _ in range(g.pick([1, 2, 2]))]
    shape = [g.pick([1, 2]), g.pick([1, 2])] + space
    mode = g.pick(["nearest", "linear"] + (["cubic"] if g.opset >= 11 and op == "Resize" else []))
    if mode == "cubic" and len(space) != 2:
        mode = "linear"
    if dtype not in et.FLOATS:
        mode = "nearest"
    x = g.like(dtype, shape)
    scales = [1.0, 1.0] + [g.pick([0.5, 1.0, 1.5, 2.0, 2.5, 3.0]) for _ in space]
    if op == "Upsample":
        scales = [max(1.0, s) for s in scales]
    out = [int(math.floor(d * s)) for d, s in zip(shape, scales)]
    if min(out) < 1:
        raise NotInVersion(op)
    constant = lambda t, v: g.fresh(t, [len(v)], None, v, g.pick(["initializer", "constant"]))  # noqa: E731
    if op == "Upsample" or g.opset == 10:
        if op == "Upsample" and g.opset < 9:
            g.node(op, [x], [(dtype, out)], mode=mode, scales=scales)
        else:
            g.node(op, [x, constant("float", scales)], [(dtype, out)], mode=mode)
        return
    attrs = {"mode": mode}
    ways = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    if g.opset >= 19:
        ways.append("half_pixel_symmetric")
    attrs["coordinate_transformation_mode"] = g.pick([None] + ways)
    if mode == "nearest":
        attrs["nearest_mode"] = g.pick([None, "round_prefer_floor", "round_prefer_ceil", "floor",
                                        "ceil"])
    if mode == "cubic":
        attrs["cubic_coeff_a"] = g.pick([None, -0.5])
        attrs["exclude_outside"] = g.pick([None, 0, 1])
    if g.opset >= 18 and g.chance(0.3):
        attrs["antialias"] = 1 if mode != "nearest" else 0
    roi = g.fresh("float", [0], None, [], "initializer") if g.opset < 13 else None
    if g.chance(0.5):
        sizes = shape[:2] + [max(1, g.rng.randint(1, 8)) for _ in space]
        empty = g.fresh("float", [0], None, [], "initializer") if g.opset < 13 else None
        g.node(op, [x, roi, empty, constant("int64", sizes)], [(dtype, sizes)], **attrs)
    else:
        g.node(op, [x, roi, constant("float", scales)], [(dtype, out)], **attrs)


def grid_sample(g, op):
    dtype = g.type(op)
    rank = 2 if g.opset < 20 else g.pick([2, 2, 3])
    n, c = g.pick([1, 2]), g.pick([1, 2])
    space = [g.pick([2, 3, 4]) for _ in range(rank)]
    out = [g.pick([1, 2, 3]) for _ in range(rank)]
    x = g.like(dtype, [n, c] + space)
    grid_type = g.type(op, 1) if g.types(op, 1) != g.types(op, 0) else dtype
    if grid_type not in ("float", "double", dtype):
        grid_type = "float"
    grid = g.fresh(grid_type, [n] + out + [rank], lambda: g.rng.randint(-12, 12) / 8.0 + 0.03)
    modes = ["bilinear", "nearest", "bicubic"] if g.opset < 20 else ["linear", "nearest", "cubic"]
    if rank == 3:
        modes = ["linear", "nearest"]
    g.node(op, [x, grid], [(dtype, [n, c] + out)], mode=g.pick([None] + modes),
           padding_mode=g.pick([None, "zeros", "border", "reflection"]),
           align_corners=g.pick([None, 0, 1]))


def roi_align(g, op):
    dtype = g.type(op)
    n, c, h, w = g.pick([1, 2]), g.pick([1, 2]), g.pick([4, 5]), g.pick([4, 6])
    x = g.like(dtype, [n, c, h, w])
    k = g.pick([1, 2, 3])
    boxes = []
    for _ in range(k):
        a, b = g.rng.randint(0, 4) / 4.0, g.rng.randint(0, 4) / 4.0
        boxes += [a, b, a + g.rng.randint(4, 12) / 4.0, b + g.rng.randint(4, 12) / 4.0]
    rois = g.fresh(dtype, [k, 4], None, boxes)
    batch = g.fresh("int64", [k], lambda: g.rng.randint(0, n - 1), kind="initializer")
    oh, ow = g.pick([1, 2, 3]), g.pick([1, 2])
    attrs = {"output_height": oh, "output_width": ow, "mode": g.pick([None, "avg", "max"]),
             "sampling_ratio": g.pick([None, 1, 2]), "spatial_scale": g.pick([None, 0.5])}
    if g.opset >= 16:
        attrs["coordinate_transformation_mode"] = g.pick([None, "half_pixel", "output_half_pixel"])
    g.node(op, [x, rois, batch], [(dtype, [k, c, oh, ow])], **attrs)


def max_roi_pool(g, op):
    dtype = g.type(op)
    n, c, h, w = g.pick([1, 2]), g.pick([1, 2]), g.pick([1, 4, 5]), g.pick([1, 4, 6])
    k = g.pick([0, 1, 2, 3])
    rois = []
    for _ in range(k):
        # Not halves, which implementations round to either side.
        rois += [g.rng.randint(0, n - 1)] + [g.rng.randint(-4, 28) / 4.0 + 0.125 for _ in range(4)]
    regions = g.fresh(dtype, [k, 5], None, rois)
    shape = [g.pick([1, 2, 3]), g.pick([1, 2])]
    g.node(op, [g.like(dtype, [n, c, h, w]), regions], [(dtype, [k, c] + shape)],
           pooled_shape=shape, spatial_scale=g.pick([None, 1.0]))


def affine_grid(g, op):
    dtype = g.type(op)
    rank = g.pick([2, 3])
    n, space = g.pick([0, 1, 2]), [g.pick([2, 3, 5]) for _ in range(rank)]
    theta = g.like(dtype, [n, rank, rank + 1])
    g.node(op, [theta, g.ints([n, 3] + space)], [(dtype, [n] + space + [rank])],
           align_corners=g.pick([None, 0, 1]))


def col2im(g, op):
    dtype = g.type(op)
    rank = g.pick([2, 2, 3])
    block = [g.pick([1, 2, 3]) for _ in range(rank)]
    strides, dilations = ([g.pick([1, 1, 2]) for _ in range(rank)] for _ in range(2))
    pads = [g.pick([0, 0, 1]) for _ in range(2 * rank)]
    blocks, image = [], []
    for a in range(rank):
        blocks.append(g.pick([1, 2, 3]))
        span = dilations[a] * (block[a] - 1) + 1 + (blocks[a] - 1) * strides[a]
        pads[a] = min(pads[a], span - 1)
        pads[a + rank] = min(pads[a + rank], span - 1 - pads[a])
        image.append(span - pads[a] - pads[a + rank])
    n, c = g.pick([1, 2]), g.pick([1, 2])
    x = g.like(dtype, [n, c * math.prod(block), math.prod(blocks)])
    g.node(op, [x, g.ints(image), g.ints(block)], [(dtype, [n, c] + image)], strides=strides,
           dilations=dilations, pads=pads)


OPS = {
    "MaxRoiPool": max_roi_pool, "AffineGrid": affine_grid, "Col2Im": col2im,
    "Conv": conv, "ConvInteger": conv, "ConvTranspose": conv_transpose, "AveragePool": pool,
    "MaxPool": pool, "LpPool": pool, "GlobalAveragePool": global_pool,
    "GlobalMaxPool": global_pool, "GlobalLpPool": global_pool, "MaxUnpool": max_unpool,
    "Resize": resize, "Upsample": resize, "GridSample": grid_sample, "RoiAlign": roi_align,
}
