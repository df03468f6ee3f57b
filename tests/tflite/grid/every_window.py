"""Cases of products, convolutions and pools with every fused activation, weights that are data, absent
biases, zero points at the ends of their range, windows larger than the data, and sizes of 1."""
from grid.maker import Case, float32, options
from grid.windows import SAME, VALID, out_size

ACTIVATIONS = range(6)
KINDS = [("int8", "int8"), ("int8", "int4"), ("int16", "int8"), ("float32", "float32"),
         ("uint8", "uint8"), ("float32", "int8")]


def axis_of(m, padding):
    """Size, kernel, stride and dilation; with SAME the window may be larger than the data."""
    kernel, stride, dilation = m.integer(1, 4), m.integer(1, 4), m.pick([1, 1, 2, 3])
    least = 1 if padding == SAME else (kernel - 1) * dilation + 1
    return m.integer(least, least + 5), kernel, stride, dilation


def weights_of(m, shape, axis, channels, kind, constant, each):
    if kind == "float32":
        return m.tensor(shape, constant=constant, low=-1.0, high=1.0)
    scales = [m.scale(1e-3, 0.1) for _ in range(channels if each else 1)]
    low, high = {"int4": (-8, 7), "uint8": (0, 255)}.get(kind, (-128, 127))
    zeros = [m.zero("uint8") if kind == "uint8" else 0] * len(scales)
    return m.tensor(shape, kind, scales, zeros, constant=constant, axis=axis, low=low, high=high)


def result_of(m, x, w, shape, taps):
    if x.dtype == "float32":
        return m.result(shape)
    spread = max(w.scale) * x.scale[0] * taps ** 0.5 * (7 if w.dtype == "int4" else 70)
    if x.dtype == "int16":
        return m.result(shape, "int16", spread * m.scale(0.5, 3), 0)
    return m.result(shape, x.dtype, spread * 70 / 127 * m.scale(0.3, 2), m.zero(x.dtype))


def data_of(m, shape, kind):
    if kind == "float32":
        return m.tensor(shape)
    return m.quantized(shape, kind, zero=0 if kind == "int16" else None)


def bias_of(m, x, w, channels, constant, narrow):
    if m.chance(0.3):
        return None
    if x.dtype == "float32":
        return m.tensor([channels], constant=constant)
    kind = m.pick(["int64", "int64", narrow]) if x.dtype == "int16" else "int32"
    scales = [float32(x.scale[0] * s) for s in w.scale]
    return m.tensor([channels], kind, scales, [0] * len(scales), constant=constant, axis=0,
                    low=-3000, high=3000)


def parts(m, shape, weight_shape, axis, channels, out_shape, taps, narrow=False, kinds=None):
    """`narrow`: the bias of int16 data may be int32."""
    kind, of_weights = m.pick(kinds or KINDS)
    fixed = m.chance(0.8)
    x = data_of(m, shape, kind)
    per_channel = of_weights != "uint8" and m.chance()
    w = weights_of(m, weight_shape, axis, channels, of_weights, fixed or of_weights == "int4",
                   per_channel)
    b = bias_of(m, x, w, channels, fixed, "int32" if narrow else "int64")
    return x, w, b, result_of(m, x, w, out_shape, taps)


def optional(m, *inputs):
    """An absent last input is -1 or left out."""
    inputs = list(inputs)
    if inputs[-1] is None and m.chance():
        inputs.pop()
    return inputs


def conv(m):
    padding = m.pick([SAME, VALID])
    (h, kh, sh, dh), (w, kw, sw, dw) = axis_of(m, padding), axis_of(m, padding)
    inner, outer, n = m.integer(1, 4), m.integer(1, 5), m.integer(1, 2)
    out = [n, out_size(h, kh, sh, dh, padding), out_size(w, kw, sw, dw, padding), outer]
    x, k, b, y = parts(m, [n, h, w, inner], [outer, kh, kw, inner], 0, outer, out, kh * kw * inner,
                       narrow=True)
    return Case(3, optional(m, x, k, b), [y],
                options(1, padding=padding, stride_h=sh, stride_w=sw, dilation_h=dh,
                        dilation_w=dw, activation=m.pick(ACTIVATIONS)))


def depthwise(m):
    padding = m.pick([SAME, VALID])
    (h, kh, sh, dh), (w, kw, sw, dw) = axis_of(m, padding), axis_of(m, padding)
    channels, many, n = m.integer(1, 5), m.integer(1, 3), m.integer(1, 2)
    made = channels * many
    out = [n, out_size(h, kh, sh, dh, padding), out_size(w, kw, sw, dw, padding), made]
    x, k, b, y = parts(m, [n, h, w, channels], [1, kh, kw, made], 3, made, out, kh * kw)
    return Case(4, optional(m, x, k, b), [y],
                options(2, padding=padding, stride_h=sh, stride_w=sw, depth_multiplier=many,
                        dilation_h=dh, dilation_w=dw, activation=m.pick(ACTIVATIONS)))


def fully_connected(m):
    inner, outer = m.integer(1, 20), m.integer(1, 6)
    outside = [m.integer(1, 3) for _ in range(m.integer(0, 3))]
    keep = int(m.chance())
    rows = 1
    for size in outside:
        rows *= size
    out = (outside if keep else [rows]) + [outer]
    x, k, b, y = parts(m, outside + [inner], [outer, inner], 0, outer, out, inner, narrow=True)
    return Case(9, optional(m, x, k, b), [y],
                options(8, activation=m.pick(ACTIVATIONS), keep_num_dims=keep,
                        asymmetric=int(m.chance(0.3))))


def transpose_conv(m):
    padding = m.pick([SAME, VALID])
    inner, outer, n = m.integer(1, 4), m.integer(1, 4), m.integer(1, 2)
    sizes, targets, kernels, strides = [], [], [], []
    for _ in range(2):
        kernel, stride, size = m.integer(1, 4), m.integer(1, 3), m.integer(1, 4)
        # Several target sizes have the same size before the transposition.
        more = m.integer(0, stride - 1) if m.chance(0.3) else 0
        sizes.append(size)
        targets.append(size * stride - more if padding == SAME else
                       (size - 1) * stride + kernel + (more if kernel else 0))
        kernels.append(kernel)
        strides.append(stride)
    out = [n] + targets + [outer]
    x, k, b, y = parts(m, [n] + sizes + [inner], [outer] + kernels + [inner], 0, outer, out,
                       kernels[0] * kernels[1] * inner, kinds=KINDS[:-1])
    return Case(67, optional(m, m.ints(out), k, x, b), [y],
                options(49, padding=padding, stride_h=strides[0], stride_w=strides[1],
                        activation=m.pick(ACTIVATIONS)))


def pool(code):
    def make(m):
        padding = m.pick([SAME, VALID])
        (h, kh, sh, _), (w, kw, sw, _) = ((max(a[0], a[1]) if padding == VALID else a[0], *a[1:])
                                          for a in (axis_of(m, SAME), axis_of(m, SAME)))
        shape = [m.integer(1, 2), h, w, m.integer(1, 4)]
        kind = m.pick(["int8", "int16", "uint8", "float32"])
        x = data_of(m, shape, kind)
        out = [shape[0], out_size(h, kh, sh, 1, padding), out_size(w, kw, sw, 1, padding), shape[3]]
        return Case(code, [x], [m.like(x, out)],
                    options(5, padding=padding, stride_h=sh, stride_w=sw, filter_height=kh,
                            filter_width=kw, activation=m.pick(ACTIVATIONS)))
    return make


def batch_matmul(m):
    batch = [m.integer(1, 3) for _ in range(m.integer(0, 3))]
    rows, inner, columns = m.integer(1, 5), m.integer(1, 9), m.integer(1, 5)
    adj_x, adj_y = int(m.chance()), int(m.chance())
    shapes = []
    for last in ([inner, rows] if adj_x else [rows, inner], [columns, inner] if adj_y else
                 [inner, columns]):
        outer = [1 if m.chance(0.2) else s for s in batch]
        shapes.append((outer[m.integer(0, len(outer)):] if m.chance(0.2) else outer) + last)
    shapes[0] = batch + shapes[0][-2:]
    kind, other = m.pick([("int8", "int8"), ("int16", "int16"), ("float32", "float32"),
                          ("float32", "int8"), ("float16", "float16"), ("int8", "int8")])
    fixed = m.integer(0, 3)
    if other != kind:  # LiteRT takes scales of other rows where two batch axes have several positions
        batch = batch[-1:]
        shapes = [batch + shape[-2:] for shape in shapes]
    if kind in ("float32", "float16"):
        a = m.tensor(shapes[0], kind, low=-4.0, high=4.0, constant=fixed == 0)
        b = m.tensor(shapes[1], kind, low=-4.0, high=4.0, constant=fixed == 1) \
            if other == kind else m.quantized(shapes[1], other, zero=0, constant=True)
        y = m.result(batch + [rows, columns], kind)
    else:
        a = data_of(m, shapes[0], kind)
        b = data_of(m, shapes[1], other)
        if fixed == 1:
            b.data = b.feed
            b.feed = None
        scale = a.scale[0] * b.scale[0] * inner ** 0.5 * (70 if kind == "int8" else 15000)
        y = m.result(batch + [rows, columns], kind, scale * m.scale(0.3, 2),
                     m.zero(kind) if kind == "int8" else 0)
    return Case(126, [a, b], [y], options(101, adj_x=adj_x, adj_y=adj_y,
                                          asymmetric=int(m.chance(0.3))))


def prelu(m):
    shape = [m.integer(1, 3) for _ in range(m.integer(1, 5))]
    kind = m.pick(["float32", "int8", "uint8", "int16"])
    x = data_of(m, shape, kind)
    slopes = [1 if m.chance(0.3) else s for s in shape][m.integer(0, len(shape)):]
    fixed = m.chance(0.7)
    if kind == "float32":
        a, y = m.tensor(slopes, constant=fixed, low=-2.0, high=2.0), m.result(shape)
    else:
        a = m.quantized(slopes, "int8" if kind == "int16" else kind, constant=fixed,
                        zero=0 if kind == "int16" else None)
        y = m.result(shape, kind, x.scale[0] * m.scale(0.3, 3), 0 if kind == "int16" else
                     m.zero(kind))
    return Case(54, [x, a], [y])


FAMILIES = {
    "ANY_CONV_2D": conv, "ANY_DEPTHWISE_CONV_2D": depthwise,
    "ANY_FULLY_CONNECTED": fully_connected, "ANY_TRANSPOSE_CONV": transpose_conv,
    "ANY_AVERAGE_POOL_2D": pool(1), "ANY_MAX_POOL_2D": pool(17), "ANY_L2_POOL_2D": pool(12),
    "ANY_BATCH_MATMUL": batch_matmul, "ANY_PRELU": prelu,
}
